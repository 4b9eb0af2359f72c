// SPDX-License-Identifier: Apache-2.0

/** Expert-parallel dispatch and combine. */
module dev.jgin.moe {
  requires transitive dev.jgin.gin;
}
