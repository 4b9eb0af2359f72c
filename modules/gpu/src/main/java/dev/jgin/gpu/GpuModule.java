// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gpu;

import jcuda.driver.JCudaDriver;

/** Loaded kernels. Their functions are usable until it is closed. */
public final class GpuModule extends Owned {
  private final GpuContext context;
  private final Handles.Module handle = new Handles.Module();

  GpuModule(GpuContext context, String name, byte[] image) {
    super(context.ledger(), "module \"" + name + "\"");
    this.context = context;
    try {
      CudaResult.check(JCudaDriver.cuModuleLoadData(handle, image), "cuModuleLoadData of %s", this);
    } catch (RuntimeException e) {
      context.ledger().leave(this);
      throw e;
    }
  }

  /**
   * The kernel with this name ({@code extern "C"}).
   *
   * @throws CudaException if there is none
   */
  public GpuFunction function(String name) {
    requireOpen();
    context.makeCurrent();
    Handles.Function function = new Handles.Function();
    CudaResult.check(
        JCudaDriver.cuModuleGetFunction(function, handle, name),
        "cuModuleGetFunction(\"%s\") of %s",
        name,
        this);
    return new GpuFunction(this, name, function);
  }

  GpuContext context() {
    return context;
  }

  void require() {
    requireOpen();
  }

  @Override
  void release() {
    context.makeCurrent();
    CudaResult.check(JCudaDriver.cuModuleUnload(handle), "cuModuleUnload of %s", this);
  }
}
