// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gpu;

import java.lang.foreign.MemorySegment;
import jcuda.driver.JCudaDriver;

/** A kernel of a {@link GpuModule}. */
public final class GpuFunction {
  private static final int LOCAL_BYTES = 3;
  private static final int REGISTERS = 4;
  private static final int STATIC_SHARED_BYTES = 1;
  private static final int MAX_DYNAMIC_SHARED_BYTES = 8;

  private final GpuModule module;
  private final String name;
  private final Handles.Function handle;
  private final MemorySegment raw;

  GpuFunction(GpuModule module, String name, Handles.Function handle) {
    this.module = module;
    this.name = name;
    this.handle = handle;
    this.raw = MemorySegment.ofAddress(handle.address());
  }

  /** Its name in the module. */
  public String name() {
    return name;
  }

  /** Registers of a thread. */
  public int registers() {
    return attribute(REGISTERS);
  }

  /** Static shared memory of a block. */
  public int staticSharedBytes() {
    return attribute(STATIC_SHARED_BYTES);
  }

  /** Local memory of a thread: stack and spills. */
  public int localBytes() {
    return attribute(LOCAL_BYTES);
  }

  /**
   * Lets launches ask for up to {@code bytes} of dynamic shared memory; beyond 48 KiB that must be
   * said before.
   *
   * @throws CudaException if the GPU has less
   */
  public void allowDynamicShared(long bytes) {
    module.require();
    module.context().makeCurrent();
    CudaResult.check(
        JCudaDriver.cuFuncSetAttribute(handle, MAX_DYNAMIC_SHARED_BYTES, Math.toIntExact(bytes)),
        "cuFuncSetAttribute(%s, dynamic shared memory, %d)",
        name,
        bytes);
  }

  /** Blocks that one SM can hold at once: times the SMs, the limit of a cooperative grid. */
  public int residentBlocks(int threads, long dynamicSharedBytes) {
    module.require();
    module.context().makeCurrent();
    int[] blocks = new int[1];
    CudaResult.check(
        JCudaDriver.cuOccupancyMaxActiveBlocksPerMultiprocessor(
            blocks, handle, threads, dynamicSharedBytes),
        "cuOccupancyMaxActiveBlocksPerMultiprocessor(%s)",
        name);
    return blocks[0];
  }

  private int attribute(int attribute) {
    module.require();
    int[] value = new int[1];
    CudaResult.check(
        JCudaDriver.cuFuncGetAttribute(value, attribute, handle), "cuFuncGetAttribute(%s)", name);
    return value[0];
  }

  MemorySegment raw() {
    module.require();
    return raw;
  }

  @Override
  public String toString() {
    return "kernel " + name;
  }
}
