// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gpu;

import java.lang.foreign.MemorySegment;
import jcuda.driver.JCudaDriver;

/**
 * Pinned host memory that CPU and GPU both read and write. What one writes the other sees in the
 * order of release and acquire at system scope, nothing more.
 */
public final class HostMemory extends Owned {
  private static final int PORTABLE = 1;
  private static final int MAPPED = 2;

  private final GpuContext context;
  private final Handles.Host handle = new Handles.Host();
  private final long bytes;
  private final MemorySegment segment;
  private final long deviceAddress;

  HostMemory(GpuContext context, String name, long bytes) {
    super(context.ledger(), "pinned host memory \"" + name + "\", " + bytes + " bytes");
    this.context = context;
    this.bytes = bytes;
    try {
      requirePositive(this, bytes);
      CudaResult.check(
          JCudaDriver.cuMemHostAlloc(handle, bytes, PORTABLE | MAPPED),
          "cuMemHostAlloc of %s",
          this);
    } catch (RuntimeException e) {
      context.ledger().leave(this);
      throw e;
    }
    this.segment = view(handle.address(), bytes).fill((byte) 0);
    this.deviceAddress = deviceAddress(handle);
  }

  /** Where the GPU sees host memory that is pinned and mapped. */
  static long deviceAddress(Handles.Host host) {
    Handles.Device seen = new Handles.Device();
    CudaResult.check(
        JCudaDriver.cuMemHostGetDevicePointer(seen, host, 0), "cuMemHostGetDevicePointer");
    return seen.address();
  }

  static void requirePositive(Owned owned, long bytes) {
    if (bytes <= 0) {
      throw new IllegalArgumentException(owned + ": at least one byte is needed");
    }
  }

  // The driver has just said that these bytes are there.
  @SuppressWarnings("restricted")
  private static MemorySegment view(long address, long bytes) {
    return MemorySegment.ofAddress(address).reinterpret(bytes);
  }

  /** The memory as the CPU sees it: not to be touched once this is closed. */
  public MemorySegment segment() {
    requireOpen();
    return segment;
  }

  /** The first address as kernels see it. */
  public long address() {
    requireOpen();
    return deviceAddress;
  }

  /** Its size. */
  public long bytes() {
    return bytes;
  }

  @Override
  void release() {
    context.makeCurrent();
    CudaResult.check(JCudaDriver.cuMemFreeHost(handle), "cuMemFreeHost of %s", this);
  }
}
