// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gpu;

import java.lang.foreign.MemorySegment;
import jcuda.driver.JCudaDriver;

/**
 * Host memory of somebody else (a fabric's window, say) that is pinned and seen by the GPU until
 * this is closed. The driver pins whole pages: two registrations must not share one.
 */
public final class RegisteredMemory extends Owned {
  private static final int PORTABLE = 1;
  private static final int MAPPED = 2;

  private final GpuContext context;
  private final MemorySegment segment;
  private final Handles.Host handle;
  private final long deviceAddress;

  RegisteredMemory(GpuContext context, String name, MemorySegment segment) {
    super(context.ledger(), "registered memory \"" + name + "\", " + segment.byteSize() + " bytes");
    this.context = context;
    this.segment = segment;
    this.handle = new Handles.Host(segment.address());
    try {
      if (!segment.isNative()) {
        throw new IllegalArgumentException(this + " is on the heap; allocate it in an Arena");
      }
      HostMemory.requirePositive(this, segment.byteSize());
      CudaResult.check(
          JCudaDriver.cuMemHostRegister(handle, segment.byteSize(), PORTABLE | MAPPED),
          "cuMemHostRegister of %s",
          this);
    } catch (RuntimeException e) {
      context.ledger().leave(this);
      throw e;
    }
    this.deviceAddress = HostMemory.deviceAddress(handle);
  }

  /** The memory as the CPU sees it. */
  public MemorySegment segment() {
    requireOpen();
    return segment;
  }

  /** The first address as kernels see it. */
  public long address() {
    requireOpen();
    return deviceAddress;
  }

  @Override
  void release() {
    context.makeCurrent();
    CudaResult.check(JCudaDriver.cuMemHostUnregister(handle), "cuMemHostUnregister of %s", this);
  }
}
