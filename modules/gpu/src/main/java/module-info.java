// SPDX-License-Identifier: Apache-2.0

/** CUDA devices, memory, launches and graphs, and what stands between kernels and a fabric. */
@SuppressWarnings("requires-automatic") // JCuda has no module descriptor.
module dev.jgin.gpu {
  requires transitive dev.jgin.gin;
  requires dev.jgin.bindings;
  requires jcuda;

  exports dev.jgin.gpu;
  exports dev.jgin.gpu.proxy;
}
