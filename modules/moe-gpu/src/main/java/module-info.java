// SPDX-License-Identifier: Apache-2.0

/**
 * Expert-parallel dispatch and combine by kernels, on the plan and the layout of the host engine.
 */
module dev.jgin.moe.gpu {
  requires transitive dev.jgin.gin;
  requires transitive dev.jgin.moe;
  requires transitive dev.jgin.gpu;
  requires dev.jgin.bindings;

  exports dev.jgin.moe.gpu;
}
