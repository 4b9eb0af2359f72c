// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gpu;

import dev.jgin.bindings.cuda.cuda_h;
import java.lang.foreign.MemorySegment;
import jcuda.driver.JCudaDriver;

/**
 * Work that a GPU does in order. Its methods need the context current on the calling thread, once
 * ({@link GpuContext#makeCurrent}); those that enqueue and ask allocate nothing. One thread at a
 * time.
 */
public final class GpuStream extends Owned {
  private static final int NON_BLOCKING = 1;
  private static final int CAPTURE_THREAD_LOCAL = 1;

  private final GpuContext context;
  private final Handles.Stream handle = new Handles.Stream();
  private final MemorySegment raw;

  GpuStream(GpuContext context, String name) {
    super(context.ledger(), "stream \"" + name + "\"");
    this.context = context;
    try {
      CudaResult.check(
          JCudaDriver.cuStreamCreate(handle, NON_BLOCKING), "cuStreamCreate of %s", this);
    } catch (RuntimeException e) {
      context.ledger().leave(this);
      throw e;
    }
    this.raw = MemorySegment.ofAddress(handle.address());
  }

  /**
   * Whether all that was enqueued is done. Non-blocking.
   *
   * @throws CudaException if some of it failed
   */
  public boolean isDone() {
    requireOpen();
    int result = cuda_h.cuStreamQuery(raw);
    if (result == CudaResult.NOT_READY) {
      return false;
    }
    CudaResult.check(result, "cuStreamQuery");
    return true;
  }

  /** Waits until all that was enqueued is done. */
  public void synchronize() {
    requireOpen();
    CudaResult.check(JCudaDriver.cuStreamSynchronize(handle), "cuStreamSynchronize");
  }

  /** Marks this point of the stream in {@code event}. */
  public void record(GpuEvent event) {
    requireOpen();
    CudaResult.check(cuda_h.cuEventRecord(event.raw(), raw), "cuEventRecord");
  }

  /** Lets what is enqueued from here on wait for {@code event}, as it was last recorded. */
  public void await(GpuEvent event) {
    requireOpen();
    CudaResult.check(cuda_h.cuStreamWaitEvent(raw, event.raw(), 0), "cuStreamWaitEvent");
  }

  /**
   * Enqueues a copy between any two addresses, device memory or pinned host memory. Host memory
   * that is not pinned makes the call wait.
   */
  public void copy(long toAddress, long fromAddress, long bytes) {
    requireOpen();
    CudaResult.check(cuda_h.cuMemcpyAsync(toAddress, fromAddress, bytes, raw), "cuMemcpyAsync");
  }

  /** Enqueues setting bytes of device memory. */
  public void fill(long address, byte value, long bytes) {
    requireOpen();
    CudaResult.check(cuda_h.cuMemsetD8Async(address, value, bytes, raw), "cuMemsetD8Async");
  }

  /** Enqueues a whole graph. */
  public void launch(GpuGraph graph) {
    requireOpen();
    CudaResult.check(cuda_h.cuGraphLaunch(graph.raw(), raw), "cuGraphLaunch");
  }

  /**
   * Makes a graph of what {@code work} enqueues on this stream, and on streams that wait for it,
   * instead of running it.
   *
   * @throws CudaException if the work does something that cannot be captured, waiting for instance
   */
  public GpuGraph capture(String name, Runnable work) {
    requireOpen();
    Handles.Graph graph = new Handles.Graph();
    CudaResult.check(
        JCudaDriver.cuStreamBeginCapture(handle, CAPTURE_THREAD_LOCAL), "cuStreamBeginCapture");
    boolean done = false;
    try {
      work.run();
      done = true;
    } finally {
      int result = JCudaDriver.cuStreamEndCapture(handle, graph);
      if (done) {
        CudaResult.check(result, "cuStreamEndCapture of graph \"%s\"", name);
      } else if (result == CudaResult.SUCCESS) {
        JCudaDriver.cuGraphDestroy(graph);
      }
    }
    return new GpuGraph(context, name, graph);
  }

  MemorySegment raw() {
    requireOpen();
    return raw;
  }

  @Override
  void release() {
    context.makeCurrent();
    CudaResult.check(JCudaDriver.cuStreamDestroy(handle), "cuStreamDestroy of %s", this);
  }
}
