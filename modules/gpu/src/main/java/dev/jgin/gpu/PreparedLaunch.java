// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gpu;

import dev.jgin.bindings.cuda.CUlaunchAttributeValue_union;
import dev.jgin.bindings.cuda.CUlaunchAttribute_st;
import dev.jgin.bindings.cuda.CUlaunchConfig_st;
import dev.jgin.bindings.cuda.cuda_h;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A launch laid out once in native memory: configuration, attributes, arguments. To launch it again
 * costs one call of the driver and allocates nothing; arguments are changed in place, between
 * launches, and a launch takes them as they are when it is enqueued.
 *
 * <p>The kernel takes one argument, a struct by value. One thread at a time.
 *
 * <p>Source of the layout: {@code CUlaunchConfig} and {@code cuLaunchKernelEx} of cuda.h.
 */
public final class PreparedLaunch {
  private static final int MOST_ATTRIBUTES = 2;

  private final GpuFunction function;
  private final LaunchShape shape;
  private final MemorySegment config;
  private final MemorySegment parameters;
  private final MemorySegment argument;

  /**
   * Prepares a launch.
   *
   * @param stream where it will be enqueued
   * @param argumentBytes size of the struct that the kernel takes
   * @param arena lives as long as launches of it
   */
  public PreparedLaunch(
      GpuFunction function, LaunchShape shape, GpuStream stream, long argumentBytes, Arena arena) {
    this.function = function;
    this.shape = shape;
    this.argument = arena.allocate(argumentBytes, 16);
    this.parameters = arena.allocate(ValueLayout.ADDRESS);
    parameters.set(ValueLayout.ADDRESS, 0, argument);
    this.config = CUlaunchConfig_st.allocate(arena);
    CUlaunchConfig_st.gridDimX(config, shape.blocks());
    CUlaunchConfig_st.gridDimY(config, 1);
    CUlaunchConfig_st.gridDimZ(config, 1);
    CUlaunchConfig_st.blockDimX(config, shape.threads());
    CUlaunchConfig_st.blockDimY(config, 1);
    CUlaunchConfig_st.blockDimZ(config, 1);
    CUlaunchConfig_st.sharedMemBytes(config, (int) shape.sharedBytes());
    CUlaunchConfig_st.hStream(config, stream.raw());
    MemorySegment attributes = CUlaunchAttribute_st.allocateArray(MOST_ATTRIBUTES, arena);
    CUlaunchConfig_st.attrs(config, attributes);
    CUlaunchConfig_st.numAttrs(config, fill(attributes, shape));
  }

  private static int fill(MemorySegment attributes, LaunchShape shape) {
    int count = 0;
    if (shape.cooperative()) {
      MemorySegment attribute = CUlaunchAttribute_st.asSlice(attributes, count++);
      CUlaunchAttribute_st.id(attribute, cuda_h.CU_LAUNCH_ATTRIBUTE_COOPERATIVE());
      CUlaunchAttributeValue_union.cooperative(CUlaunchAttribute_st.value(attribute), 1);
    }
    if (shape.dependent()) {
      MemorySegment attribute = CUlaunchAttribute_st.asSlice(attributes, count++);
      CUlaunchAttribute_st.id(
          attribute, cuda_h.CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION());
      CUlaunchAttributeValue_union.programmaticStreamSerializationAllowed(
          CUlaunchAttribute_st.value(attribute), 1);
    }
    return count;
  }

  /** The struct that the kernel takes: zero at first, written by the caller. */
  public MemorySegment argument() {
    return argument;
  }

  /** Its shape. */
  public LaunchShape shape() {
    return shape;
  }

  /**
   * Enqueues the kernel. Does not wait; allocates nothing. The context must be current.
   *
   * @throws CudaException if the driver refuses, or earlier work of the context failed
   */
  public void launch() {
    int result = cuda_h.cuLaunchKernelEx(config, function.raw(), parameters, MemorySegment.NULL);
    if (result != CudaResult.SUCCESS) {
      throw new CudaException("cuLaunchKernelEx of " + function + ", " + shape, result);
    }
  }
}
