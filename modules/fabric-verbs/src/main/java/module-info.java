// SPDX-License-Identifier: Apache-2.0

/** Reliable-connected queue pairs over libibverbs. */
module dev.jgin.fabric.verbs {
  requires dev.jgin.bindings;
  requires transitive dev.jgin.gin;

  exports dev.jgin.fabric.verbs;

  provides dev.jgin.gin.spi.FabricProvider with
      dev.jgin.fabric.verbs.VerbsFabricProvider;
}
