// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.gpu;

import dev.jgin.bindings.abi.abi_h;
import dev.jgin.gpu.GpuContext;
import dev.jgin.gpu.GpuDevice;
import dev.jgin.gpu.GpuFunction;
import dev.jgin.gpu.GpuModule;
import dev.jgin.gpu.LaunchShape;

/** The five kernels, loaded into one context, by {@code JGIN_KERNEL_…}. */
final class Kernels implements AutoCloseable {
  static final int COUNT = abi_h.JGIN_KERNELS();

  private static final String[] NAMES = {
    "jgin_plan_routing",
    "jgin_dispatch_send",
    "jgin_dispatch_epilogue",
    "jgin_combine_send",
    "jgin_combine_reduce"
  };
  private static final int[] THREADS = {
    abi_h.JGIN_THREADS_PLAN(),
    abi_h.JGIN_THREADS_SEND(),
    abi_h.JGIN_THREADS_EPILOGUE(),
    abi_h.JGIN_THREADS_COMBINE(),
    abi_h.JGIN_THREADS_REDUCE()
  };
  private static final int[] SHARED = {
    abi_h.JGIN_SHARED_PLAN(),
    abi_h.JGIN_SHARED_SEND(),
    abi_h.JGIN_SHARED_EPILOGUE(),
    abi_h.JGIN_SHARED_COMBINE(),
    abi_h.JGIN_SHARED_REDUCE()
  };

  private final GpuContext context;
  private final GpuModule module;
  private final GpuFunction[] functions = new GpuFunction[COUNT];

  /**
   * Loads them.
   *
   * @throws IllegalStateException if there are none, or the GPU is too small for them
   */
  Kernels(GpuContext context, byte[] image) {
    this.context = context;
    requireShared(context.device());
    this.module = context.module("kernels", image);
    for (int k = 0; k < COUNT; k++) {
      functions[k] = module.function(NAMES[k]);
      // Also loads the code: a kernel loaded at its first launch would wait for the kernels that
      // run.
      functions[k].allowDynamicShared(SHARED[k]);
    }
  }

  private static void requireShared(GpuDevice device) {
    for (int k = 0; k < COUNT; k++) {
      if (SHARED[k] > device.sharedBytesPerBlock()) {
        throw new IllegalStateException(
            "%s needs %d bytes of shared memory a block, %s (sm_%d%d) has %d: use sm_90 or newer"
                .formatted(
                    NAMES[k],
                    SHARED[k],
                    device.name(),
                    device.major(),
                    device.minor(),
                    device.sharedBytesPerBlock()));
      }
    }
  }

  static String name(int kernel) {
    return kernel >= 0 && kernel < COUNT ? NAMES[kernel] : "kernel " + kernel;
  }

  GpuFunction function(int kernel) {
    return functions[kernel];
  }

  /**
   * The launch of a kernel on {@code blocks} SMs, 0 standing for all.
   *
   * @throws IllegalArgumentException if more blocks are asked for than are resident at once
   */
  LaunchShape shape(int kernel, int blocks) {
    int most =
        context.device().multiprocessors()
            * functions[kernel].residentBlocks(THREADS[kernel], SHARED[kernel]);
    int wanted = blocks == 0 ? context.device().multiprocessors() : blocks;
    if (wanted > most) {
      throw new IllegalArgumentException(
          "%d SMs for %s: this GPU holds %d of its blocks at once; ask for fewer, or 0 for all"
              .formatted(blocks, NAMES[kernel], most));
    }
    return LaunchShape.of(wanted, THREADS[kernel], SHARED[kernel]);
  }

  @Override
  public void close() {
    module.close();
  }
}
