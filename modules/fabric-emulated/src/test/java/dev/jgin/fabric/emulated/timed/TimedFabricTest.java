// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.emulated.timed;

import static dev.jgin.fabric.emulated.World.load;
import static dev.jgin.fabric.emulated.World.store;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jgin.fabric.emulated.World;
import dev.jgin.gin.spi.Fabric;
import dev.jgin.gin.spi.LaneSample;
import dev.jgin.gin.spi.Region;
import dev.jgin.gin.spi.RegionKind;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is peculiar to modelled lanes, beyond the contract. */
class TimedFabricTest {

  private static final int SEEDS = 20;

  /** Whether a row written over before its completion arrives changed, for some seed. */
  private static boolean sourceReuseSeen(String spec, boolean waitForCompletion) {
    boolean seen = false;
    for (long seed = 1; seed <= SEEDS && !seen; seed++) {
      try (World world = World.open(spec, 2, 1, seed)) {
        List<Region> data = world.register("data", 4096, RegionKind.DATA);
        Fabric fabric = world.fabric(0);
        store(data.get(0), 0, 1);
        for (int i = 0; i < 8; i++) {
          fabric.write(0, 1, data.get(0), 0, data.get(0), 64 + 8L * i, 8);
        }
        fabric.ring(0, 1);
        if (waitForCompletion) {
          world.await("completion", () -> fabric.completed(0, 1) == 8);
        }
        store(data.get(0), 0, 2);
        world.await("the writes", () -> load(data.get(1), 64 + 56) != 0);
        for (int i = 0; i < 8; i++) {
          seen |= load(data.get(1), 64 + 8L * i) == 2;
        }
      }
    }
    return seen;
  }

  @ParameterizedTest
  @ValueSource(strings = {"emulated:adversarial", "emulated:adversarial,threads=1"})
  void shouldShowASourceThatIsReusedTooEarly(String spec) {
    assertTrue(sourceReuseSeen(spec, false), "a reused source went unnoticed");
    assertTrue(!sourceReuseSeen(spec, true), "a completed source was read again");
  }

  @Test
  void shouldShowRowsInPartEvenWithAllAxiomsOn() {
    int torn = 0;
    for (long seed = 1; seed <= SEEDS; seed++) {
      try (World world = World.open("emulated:adversarial", 2, 1, seed)) {
        List<Region> data = world.register("data", 1 << 16, RegionKind.DATA);
        for (long at = 0; at < 8192; at += 8) {
          store(data.get(0), at, 1);
        }
        Fabric fabric = world.fabric(0);
        fabric.write(0, 1, data.get(0), 0, data.get(0), 0, 8192);
        fabric.ring(0, 1);
        while (load(data.get(1), 0) == 0) {
          world.move();
        }
        torn += load(data.get(1), 8184) == 0 ? 1 : 0;
        world.await("the row", () -> load(data.get(1), 8184) == 1);
      }
    }
    assertTrue(torn > 0 && torn < SEEDS, torn + " of " + SEEDS + " rows were seen in part");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "emulated:psn=16777210",
        "emulated:adversarial,psn=16777210",
        "emulated:ordered,threads=1,psn=16777210"
      })
  void shouldCountPacketsAcrossTheWrap(String spec) {
    try (World world = World.open(spec, 2, 1, 3)) {
      List<Region> data = world.register("data", 1 << 16, RegionKind.DATA);
      List<Region> cells = world.register("cells", 64, RegionKind.SIGNAL);
      Fabric fabric = world.fabric(0);
      for (int i = 0; i < 10; i++) {
        fabric.atomicAdd(0, 1, cells.get(0), 0, 1);
      }
      fabric.write(0, 1, data.get(0), 0, data.get(0), 0, 4096 * 3 + 1);
      fabric.write(0, 1, data.get(0), 0, data.get(0), 0, 0);
      fabric.ring(0, 1);
      world.await("completion", () -> fabric.completed(0, 1) == 12);
      fabric.laneControl().fence(0, 1);
      world.fabric(1).laneControl().fence(0, 0);
      int psn = (16777210 + 10 + 4 + 1) & 0xffffff;
      assertEquals(new LaneSample(1, psn, psn, 16777210, 0), fabric.laneControl().sample(0, 1));
      assertEquals(
          new LaneSample(1, 16777210, 16777210, psn, 12),
          world.fabric(1).laneControl().sample(0, 0));
    }
  }

  @Test
  void shouldLeaveTheRequesterInDoubtForSomeSeeds() {
    int doubts = 0;
    for (long seed = 1; seed <= SEEDS; seed++) {
      try (World world = World.open("emulated:adversarial", 2, 1, seed)) {
        List<Region> data = world.register("data", 1 << 16, RegionKind.DATA);
        Fabric fabric = world.fabric(0);
        for (int i = 0; i < 8; i++) {
          fabric.write(0, 1, data.get(0), 0, data.get(0), 0, 16384);
        }
        fabric.ring(0, 1);
        for (int i = 0; i < 1 + seed % 8; i++) {
          world.move();
        }
        world.fabric(1).laneControl().fence(0, 0);
        world.await(
            "the failure or the completions",
            () -> fabric.error(0, 1) != 0 || fabric.completed(0, 1) == 8);
        fabric.laneControl().fence(0, 1);
        int acked = fabric.laneControl().sample(0, 1).ackedPsn();
        int accepted = world.fabric(1).laneControl().sample(0, 0).expectedPsn();
        doubts += acked != accepted ? 1 : 0;
      }
    }
    assertTrue(doubts > SEEDS / 4, doubts + " of " + SEEDS + " seeds lose acknowledgements");
  }
}
