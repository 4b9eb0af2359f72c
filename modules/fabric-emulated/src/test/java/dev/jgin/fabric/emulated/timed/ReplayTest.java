// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.emulated.timed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jgin.fabric.emulated.World;
import dev.jgin.gin.spi.Fabric;
import dev.jgin.gin.spi.RankTask;
import dev.jgin.gin.spi.Region;
import dev.jgin.gin.spi.RegionKind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** In virtual time a seed is a run. */
class ReplayTest {

  private static final int RANKS = 4;
  private static final int CONTEXTS = 3;
  private static final int ROUNDS = 40;

  /** Writes a row and a signal to each peer per round, and waits for the peers' signals. */
  private static final class Program implements RankTask {
    private final Fabric fabric;
    private final Region data;
    private final Region cells;
    private long round;
    private int next;

    Program(Fabric fabric, Region data, Region cells) {
      this.fabric = fabric;
      this.data = data;
      this.cells = cells;
    }

    @Override
    public Step step() {
      for (int c = 0; c < CONTEXTS; c++) {
        fabric.poll(c);
      }
      if (next < RANKS) {
        int peer = next;
        int context = (int) (round + peer) % CONTEXTS;
        fabric.write(context, peer, data, 0, data, 4096L * (1 + fabric.rank()), 2048);
        fabric.atomicAdd(context, peer, cells, 8L * fabric.rank(), 1);
        fabric.ring(context, peer);
        next++;
        return Step.PROGRESS;
      }
      for (int peer = 0; peer < RANKS; peer++) {
        if (World.load(cells, 8L * peer) <= round) {
          return Step.WAITING;
        }
      }
      round++;
      next = 0;
      return round == ROUNDS ? Step.DONE : Step.PROGRESS;
    }
  }

  private static long[] run(long seed) {
    try (World world = World.open("emulated:adversarial", RANKS, CONTEXTS, seed)) {
      List<Region> data = world.register("data", 4096L * (1 + RANKS), RegionKind.DATA);
      List<Region> cells = world.register("cells", 8L * RANKS, RegionKind.SIGNAL);
      List<RankTask> programs = new ArrayList<>();
      for (int r = 0; r < RANKS; r++) {
        programs.add(new Program(world.fabric(r), data.get(r), cells.get(r)));
      }
      world.fabric(0).scheduler().orElseThrow().run(programs);
      TimedFabric fabric = (TimedFabric) world.fabric(0);
      return new long[] {fabric.traceHash(), fabric.clock().getAsLong(), fabric.delivered()};
    }
  }

  @Test
  void shouldReplayASeedExactlyAndDifferForOthers() {
    Set<Long> traces = new HashSet<>();
    for (long seed = 1; seed <= 8; seed++) {
      long[] first = run(seed);
      long[] again = run(seed);
      assertEquals(first[0], again[0], "trace of seed " + seed);
      assertEquals(first[1], again[1], "virtual time of seed " + seed);
      assertEquals(first[2], again[2], "moves of seed " + seed);
      assertTrue(first[2] > ROUNDS * RANKS * RANKS * 4, "moves " + first[2]);
      traces.add(first[0]);
    }
    assertEquals(8, traces.size());
    assertNotEquals(0, run(3)[1]);
  }
}
