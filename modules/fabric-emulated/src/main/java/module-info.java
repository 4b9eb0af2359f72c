// SPDX-License-Identifier: Apache-2.0

/** An in-process fabric whose ordering axioms are switches. */
module dev.jgin.fabric.emulated {
  requires transitive dev.jgin.gin;

  exports dev.jgin.fabric.emulated;
  exports dev.jgin.fabric.emulated.fault;
  exports dev.jgin.fabric.emulated.lane;
  exports dev.jgin.fabric.emulated.memory;
  exports dev.jgin.fabric.emulated.timed;

  provides dev.jgin.gin.spi.FabricProvider with
      dev.jgin.fabric.emulated.EmulatedFabricProvider;
}
