// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gpu;

import java.lang.foreign.MemorySegment;
import jcuda.driver.JCudaDriver;

/**
 * Captured work, ready to be launched again and again with {@link GpuStream#launch}. Arguments of
 * its kernels are those of the capture: what changes from launch to launch must be in memory.
 */
public final class GpuGraph extends Owned {
  private final GpuContext context;
  private final Handles.GraphExec handle = new Handles.GraphExec();
  private final MemorySegment raw;

  GpuGraph(GpuContext context, String name, Handles.Graph graph) {
    super(context.ledger(), "graph \"" + name + "\"");
    this.context = context;
    try {
      CudaResult.check(
          JCudaDriver.cuGraphInstantiate(handle, graph, 0), "cuGraphInstantiate of %s", this);
    } catch (RuntimeException e) {
      context.ledger().leave(this);
      throw e;
    } finally {
      JCudaDriver.cuGraphDestroy(graph);
    }
    this.raw = MemorySegment.ofAddress(handle.address());
  }

  MemorySegment raw() {
    requireOpen();
    return raw;
  }

  @Override
  void release() {
    context.makeCurrent();
    CudaResult.check(JCudaDriver.cuGraphExecDestroy(handle), "cuGraphExecDestroy of %s", this);
  }
}
