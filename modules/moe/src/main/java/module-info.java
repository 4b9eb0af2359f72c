// SPDX-License-Identifier: Apache-2.0

/** Expert-parallel dispatch and combine. */
module dev.jgin.moe {
  exports dev.jgin.moe;
  exports dev.jgin.moe.check;
  exports dev.jgin.moe.layout;
  exports dev.jgin.moe.numeric;
  exports dev.jgin.moe.oracle;
  exports dev.jgin.moe.plan;
  exports dev.jgin.moe.routing;

  requires transitive dev.jgin.gin;
}
