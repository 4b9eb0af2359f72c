// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gpu;

import dev.jgin.bindings.cuda.cuda_h;
import java.lang.foreign.MemorySegment;
import jcuda.driver.JCudaDriver;

/**
 * Memory of a GPU. Addresses are the GPU's own: the CPU cannot read them. Copies here wait until
 * they are done and are for set-up and tests; {@link GpuStream} has those that do not wait.
 */
public final class DeviceMemory extends Owned {
  private final GpuContext context;
  private final Handles.Device handle = new Handles.Device();
  private final long bytes;
  private final long address;

  DeviceMemory(GpuContext context, String name, long bytes) {
    super(context.ledger(), "device memory \"" + name + "\", " + bytes + " bytes");
    this.context = context;
    this.bytes = bytes;
    this.address = allocate();
  }

  private long allocate() {
    try {
      HostMemory.requirePositive(this, bytes);
      CudaResult.check(JCudaDriver.cuMemAlloc(handle, bytes), "cuMemAlloc of %s", this);
      return handle.address();
    } catch (RuntimeException e) {
      context.ledger().leave(this);
      throw e;
    }
  }

  /** Its first address, as kernels see it. */
  public long address() {
    requireOpen();
    return address;
  }

  /** Its size. */
  public long bytes() {
    return bytes;
  }

  /**
   * Copies host memory to {@code offset}, and waits.
   *
   * @throws IndexOutOfBoundsException if it does not fit
   */
  public void write(long offset, MemorySegment from) {
    check(offset, from.byteSize());
    copy(address() + offset, from.address(), from.byteSize());
  }

  /** Copies from {@code offset} to host memory, and waits. */
  public void read(long offset, MemorySegment to) {
    check(offset, to.byteSize());
    copy(to.address(), address() + offset, to.byteSize());
  }

  /** Sets every byte, and waits. */
  public void fill(byte value) {
    context.makeCurrent();
    CudaResult.check(
        cuda_h.cuMemsetD8Async(address(), value, bytes, MemorySegment.NULL), "cuMemsetD8Async");
    finish();
  }

  /**
   * Names it to another process of this machine.
   *
   * @throws CudaException if the driver cannot share it
   */
  public IpcHandle ipcHandle() {
    context.makeCurrent();
    return IpcMemory.export(this);
  }

  /**
   * Exports {@code bytes} at {@code offset} as a dma-buf.
   *
   * @throws UnsupportedOperationException if GPU or driver offer none
   * @throws IllegalArgumentException if the range does not begin and end at pages of the host
   * @throws IndexOutOfBoundsException if it leaves this memory
   */
  public DmaBuf dmaBuf(long offset, long bytes) {
    context.makeCurrent();
    return new DmaBuf(context, this, offset, bytes);
  }

  private void copy(long to, long from, long count) {
    context.makeCurrent();
    CudaResult.check(
        cuda_h.cuMemcpyAsync(to, from, count, MemorySegment.NULL), "cuMemcpyAsync, %s", this);
    finish();
  }

  private static void finish() {
    CudaResult.check(JCudaDriver.cuStreamSynchronize(null), "cuStreamSynchronize");
  }

  private void check(long offset, long count) {
    if (offset < 0 || count < 0 || offset > bytes - count) {
      throw new IndexOutOfBoundsException(
          "[" + offset + ", " + (offset + count) + ") is not within " + this);
    }
  }

  @Override
  void release() {
    context.makeCurrent();
    CudaResult.check(JCudaDriver.cuMemFree(handle), "cuMemFree of %s", this);
  }
}
