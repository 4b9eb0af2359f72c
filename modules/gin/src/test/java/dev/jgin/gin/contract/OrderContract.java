// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gin.contract;

import static dev.jgin.gin.contract.ContractWorld.load;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.jgin.gin.spi.Axiom;
import dev.jgin.gin.spi.Axioms;
import dev.jgin.gin.spi.Fabric;
import dev.jgin.gin.spi.Region;
import dev.jgin.gin.spi.RegionKind;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every promise that the carrier declares holds on every seed tried. */
abstract class OrderContract {

  private static final int SEEDS = 20;

  abstract String spec();

  private Axioms axioms() {
    try (ContractWorld world = ContractWorld.open(spec(), 1, 1, 1)) {
      return world.fabric(0).axioms();
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldKeepWhatItPromises(Axiom axiom) {
    if (!axioms().promises(axiom)) {
      return;
    }
    for (long seed = ContractWorld.seed(); seed < ContractWorld.seed() + SEEDS; seed++) {
      long replay = seed;
      assertFalse(
          AxiomProbe.breaks(spec(), axiom, seed),
          () -> spec() + " breaks " + axiom + "; replay with -Djgin.seed=" + replay);
    }
  }

  @Test
  void shouldShowGranulesWhole() {
    long granule = axioms().granuleBytes();
    if (granule == 0) {
      return;
    }
    for (long seed = ContractWorld.seed(); seed < ContractWorld.seed() + SEEDS; seed++) {
      shouldShowGranulesWhole(granule, seed);
    }
  }

  private void shouldShowGranulesWhole(long granule, long seed) {
    int rows = 20;
    long row = 6 * Math.max(granule, 64);
    try (ContractWorld world = ContractWorld.open(spec(), 2, 1, seed)) {
      Fabric fabric = world.fabric(0);
      List<Region> data = world.register("data", row * rows, RegionKind.DATA);
      for (long at = 0; at < row * rows; at += 8) {
        ContractWorld.store(data.get(0), at, at + 1);
      }
      for (long from = 0; from < row * rows; from += row) {
        long at = from;
        world.post(0, 0, 1, () -> fabric.write(0, 1, data.get(0), at, data.get(0), at, row));
        fabric.ring(0, 1);
      }
      world.await("all rows", () -> wholeGranules(data.get(1), granule, seed));
    }
  }

  /** Whether all granules are there; each is either absent or whole. */
  private static boolean wholeGranules(Region region, long granule, long seed) {
    boolean all = true;
    for (long edge = granule; edge <= region.bytes(); edge += granule) {
      boolean seen = load(region, edge - 8) != 0;
      for (long at = edge - granule; seen && at < edge; at += 8) {
        assertEquals(at + 1, load(region, at), "torn granule; replay with -Djgin.seed=" + seed);
      }
      all &= seen;
    }
    return all;
  }

  @Test
  void shouldSumAtomicsOfAllRanksExactly() {
    if (!axioms().promises(Axiom.A6)) {
      return;
    }
    int ranks = 4;
    int adds = 50;
    try (ContractWorld world = ContractWorld.open(spec(), ranks, 2, ContractWorld.seed())) {
      List<Region> cells = world.register("cells", 64, RegionKind.SIGNAL);
      for (int i = 0; i < adds; i++) {
        for (int r = 0; r < ranks; r++) {
          Fabric fabric = world.fabric(r);
          Region mine = cells.get(r);
          for (int p = 0; p < ranks; p++) {
            int context = (i + p) % 2;
            int peer = p;
            int addend = i * (r + 1);
            world.post(r, context, p, () -> fabric.atomicAdd(context, peer, mine, 16, addend));
            fabric.ring(context, p);
          }
        }
      }
      long expected = (adds * (adds - 1L) / 2) * (ranks * (ranks + 1L) / 2);
      for (int p = 0; p < ranks; p++) {
        Region target = cells.get(p);
        world.await("all adds", () -> load(target, 16) == expected);
      }
      for (int i = 0; i < 1000; i++) {
        world.move();
      }
      for (int p = 0; p < ranks; p++) {
        assertEquals(expected, load(cells.get(p), 16), "nothing is added twice");
      }
    }
  }
}
