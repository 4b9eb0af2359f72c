// SPDX-License-Identifier: Apache-2.0

/** jextract output for native libraries, and their lookup. No logic. */
module dev.jgin.bindings {
  exports dev.jgin.bindings;
  exports dev.jgin.bindings.abi;
  exports dev.jgin.bindings.cuda;
  exports dev.jgin.bindings.ibverbs;
  exports dev.jgin.bindings.mlx5;
  exports dev.jgin.bindings.pmix;
}
