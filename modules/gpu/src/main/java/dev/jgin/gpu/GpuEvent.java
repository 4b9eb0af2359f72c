// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gpu;

import dev.jgin.bindings.cuda.cuda_h;
import java.lang.foreign.MemorySegment;
import jcuda.driver.JCudaDriver;

/** A point in a stream, to be asked for or waited for. Asking allocates nothing. */
public final class GpuEvent extends Owned {
  private static final int DISABLE_TIMING = 2;

  private final GpuContext context;
  private final Handles.Event handle = new Handles.Event();
  private final MemorySegment raw;

  GpuEvent(GpuContext context, String name, boolean timed) {
    super(context.ledger(), "event \"" + name + "\"");
    this.context = context;
    try {
      CudaResult.check(
          JCudaDriver.cuEventCreate(handle, timed ? 0 : DISABLE_TIMING),
          "cuEventCreate of %s",
          this);
    } catch (RuntimeException e) {
      context.ledger().leave(this);
      throw e;
    }
    this.raw = MemorySegment.ofAddress(handle.address());
  }

  /**
   * Whether the work before its last record is done; true if it was never recorded. Non-blocking.
   *
   * @throws CudaException if that work failed
   */
  public boolean isDone() {
    int result = cuda_h.cuEventQuery(raw());
    if (result == CudaResult.NOT_READY) {
      return false;
    }
    CudaResult.check(result, "cuEventQuery");
    return true;
  }

  /** Waits for the work before its last record. */
  public void synchronize() {
    requireOpen();
    CudaResult.check(JCudaDriver.cuEventSynchronize(handle), "cuEventSynchronize");
  }

  /**
   * Time on the GPU between {@code earlier} and this, both timed and done; resolution about 500 ns.
   */
  public double elapsedNanos(GpuEvent earlier) {
    requireOpen();
    float[] millis = new float[1];
    CudaResult.check(
        JCudaDriver.cuEventElapsedTime(millis, earlier.handle, handle), "cuEventElapsedTime");
    return millis[0] * 1e6;
  }

  MemorySegment raw() {
    requireOpen();
    return raw;
  }

  @Override
  void release() {
    context.makeCurrent();
    CudaResult.check(JCudaDriver.cuEventDestroy(handle), "cuEventDestroy of %s", this);
  }
}
