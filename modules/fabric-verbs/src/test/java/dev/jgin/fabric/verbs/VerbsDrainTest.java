// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jgin.fabric.verbs.queue.Psn;
import dev.jgin.fabric.verbs.wire.EndAddress;
import dev.jgin.gin.spi.Fabric;
import dev.jgin.gin.spi.LaneControl;
import dev.jgin.gin.spi.Region;
import dev.jgin.gin.spi.RegionKind;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Fences a lane's receiving end while packets pour in from another thread. Each is an add of 1, so
 * memory counts what was accepted, and the sampled packet number must say the same, for recovery
 * replays from it: one packet that lands behind the sample is a signal counted twice.
 */
@ExtendWith(NeedsDevice.class)
@Timeout(600)
class VerbsDrainTest {

  private static final int ROUNDS = Integer.getInteger("jgin.verbs.drains", 20);
  private static final int FIRST_PSN = 1000;

  @Test
  void shouldSampleExactlyWhatLanded() {
    try (Ranks ranks = Ranks.open(NeedsDevice.fabric() + ",psn=" + FIRST_PSN, 2, 1)) {
      List<Region> cells = ranks.register("cells", 64, RegionKind.SIGNAL);
      LaneControl receiving = ranks.fabric(1).laneControl();
      int first = FIRST_PSN;
      int late = 0;
      long before = 0;
      for (int round = 0; round < ROUNDS; round++) {
        AtomicLong posted = new AtomicLong();
        Thread sender =
            Thread.ofPlatform().start(() -> pour(ranks.fabric(0), cells.getFirst(), posted));
        int enough = 200 + 37 * round % 100;
        // A lane whose retries are used up early, on a slow machine, is fenced all the same.
        await("packets of round " + round, () -> posted.get() >= enough || !sender.isAlive());
        receiving.fence(0, 0);
        int atFence = receiving.sample(0, 0).expectedPsn();
        await(
            "draining in round " + round,
            () -> {
              ranks.fabric(1).poll(0);
              return receiving.drained(0, 0);
            });
        int sampled = receiving.sample(0, 0).expectedPsn();
        long counted = Ranks.load(cells.get(1), 0) - before;
        assertEquals(
            sampled, Psn.add(first, counted), "packets sampled and landed, round " + round);
        late += atFence == sampled ? 0 : 1;
        await("the sender's failure in round " + round, () -> !sender.isAlive());
        first = recover(ranks);
        assertEquals(counted, Ranks.load(cells.get(1), 0) - before, "landed later, round " + round);
        before += counted;
      }
      System.out.printf(
          "%d processors: in %d of %d rounds a packet was accepted after the fence returned%n",
          Runtime.getRuntime().availableProcessors(), late, ROUNDS);
    }
  }

  /** Leaves both fabrics alone: the sender's belongs to its thread. */
  private static void await(String what, BooleanSupplier condition) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() - start < Ranks.TIMEOUT, "still waiting for " + what);
      Thread.onSpinWait();
    }
  }

  /** Posts adds until the lane fails. */
  private static void pour(VerbsFabric fabric, Region cell, AtomicLong posted) {
    while (fabric.error(0, 1) == 0) {
      while (fabric.atomicAdd(0, 1, cell, 0, 1) != Fabric.FULL) {
        if (posted.incrementAndGet() % 8 == 0) {
          break;
        }
      }
      fabric.ring(0, 1);
      fabric.poll(0);
    }
  }

  /** Reconnects both ends; returns the first packet number of the new generation. */
  private static int recover(Ranks ranks) {
    LaneControl sending = ranks.fabric(0).laneControl();
    LaneControl receiving = ranks.fabric(1).laneControl();
    sending.fence(0, 1);
    ranks.await("draining", () -> sending.drained(0, 1));
    byte[] mine = sending.prepare(0, 1);
    byte[] theirs = receiving.prepare(0, 0);
    receiving.reconnect(0, 0, mine);
    sending.reconnect(0, 1, theirs);
    return EndAddress.decode(mine).psn();
  }
}
