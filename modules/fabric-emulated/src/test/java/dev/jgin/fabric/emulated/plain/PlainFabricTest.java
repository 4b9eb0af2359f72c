// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.emulated.plain;

import static dev.jgin.fabric.emulated.World.load;
import static dev.jgin.fabric.emulated.World.store;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jgin.fabric.emulated.World;
import dev.jgin.gin.spi.Fabric;
import dev.jgin.gin.spi.LaneStatus;
import dev.jgin.gin.spi.Region;
import dev.jgin.gin.spi.RegionKind;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What is peculiar to plain mode: many ranks, real threads, and the promises beyond a network's.
 */
class PlainFabricTest {

  @Test
  void shouldCarryA1024RankWorldOn16Contexts() {
    int ranks = 1024;
    int contexts = 16;
    try (World world = World.open("emulated", ranks, contexts, 1)) {
      List<Region> cells = world.register("cells", 8, RegionKind.SIGNAL);
      int[] strides = {0, 1, 7, 513};
      for (int r = 0; r < ranks; r++) {
        Fabric fabric = world.fabric(r);
        for (int c = 0; c < contexts; c++) {
          for (int stride : strides) {
            int peer = (r + stride) % ranks;
            assertEquals(0, fabric.atomicAdd(c, peer, cells.get(r), 0, 1));
            fabric.ring(c, peer);
          }
          fabric.poll(c);
          assertEquals(1, fabric.completed(c, (r + 513) % ranks));
        }
      }
      for (int r = 0; r < ranks; r++) {
        assertEquals((long) contexts * strides.length, load(cells.get(r), 0));
      }
    }
  }

  /**
   * Two threads pass rows to and fro on one context and signals on another: the signal is sent
   * after the row, so with A2 across lanes the row is there.
   */
  @ParameterizedTest
  @ValueSource(strings = {"emulated", "emulated:granule=64"})
  void shouldShowTheRowBeforeTheSignalOnAnotherLane(String spec) throws InterruptedException {
    int rounds = 60_000;
    try (World world = World.open(spec, 2, 2, 1)) {
      List<Region> data = world.register("data", 4096, RegionKind.DATA);
      List<Region> cells = world.register("cells", 8, RegionKind.SIGNAL);
      AtomicReference<String> wrong = new AtomicReference<>();
      Thread other =
          Thread.ofPlatform().start(() -> pingPong(world, data, cells, 1, rounds, wrong));
      pingPong(world, data, cells, 0, rounds, wrong);
      other.join();
      assertNull(wrong.get(), wrong::get);
    }
  }

  @SuppressWarnings("ThreadPriorityCheck") // gives the core away where there is only one
  private static void pingPong(
      World world,
      List<Region> data,
      List<Region> cells,
      int rank,
      int rounds,
      AtomicReference<String> wrong) {
    Fabric fabric = world.fabric(rank);
    Region mine = data.get(rank);
    int peer = 1 - rank;
    for (int round = 1; round <= rounds && wrong.get() == null; round++) {
      if (rank == 0 || awaitSignal(cells.get(rank), mine, round, wrong)) {
        for (long at = 0; at < 512; at += 8) {
          store(mine, at, round);
        }
        fabric.write(0, peer, mine, 0, mine, 1024, 512);
        fabric.ring(0, peer);
        fabric.atomicAdd(1, peer, cells.get(rank), 0, 1);
        fabric.ring(1, peer);
        fabric.poll(0);
        fabric.poll(1);
      }
      if (rank == 0) {
        awaitSignal(cells.get(rank), mine, round, wrong);
      }
    }
  }

  @SuppressWarnings("ThreadPriorityCheck") // gives the core away where there is only one
  private static boolean awaitSignal(
      Region cell, Region mine, int round, AtomicReference<String> wrong) {
    while (load(cell, 0) < round) {
      if (wrong.get() != null) {
        return false;
      }
      Thread.yield();
    }
    for (long at = 1024; at < 1536; at += 8) {
      if ((long) World.WORD.get(mine.local(), at) != round) {
        wrong.set("round " + round + ": word " + at + " is of another round");
      }
    }
    return true;
  }

  /** One thread overwrites granules, another looks without any signal between them. */
  @Test
  void shouldShowGranulesWholeToAnotherThread() throws InterruptedException {
    int rounds = 200_000;
    int granule = 64;
    try (World world = World.open("emulated:granule=64", 2, 1, 1)) {
      List<Region> data = world.register("data", 1024, RegionKind.DATA);
      Fabric fabric = world.fabric(0);
      Thread writer =
          Thread.ofPlatform()
              .start(() -> {
                for (int round = 1; round <= rounds; round++) {
                  for (long at = 0; at < 256; at += 8) {
                    store(data.get(0), at, round);
                  }
                  fabric.write(0, 1, data.get(0), 0, data.get(0), 512, 256);
                  fabric.ring(0, 1);
                  fabric.poll(0);
                }
              });
      long last = 0;
      while (last < rounds) {
        for (long edge = 512L + granule; edge <= 768; edge += granule) {
          last = load(data.get(1), edge - 8);
          for (long at = edge - granule; at < edge; at += 8) {
            long word = (long) World.WORD.getOpaque(data.get(1).local(), at);
            assertTrue(word >= last, "granule ends in round " + last + " but holds " + word);
          }
        }
      }
      writer.join();
    }
  }

  @Test
  void shouldSumAddsOfManyThreadsExactly() throws InterruptedException {
    int ranks = 4;
    int adds = 50_000;
    try (World world = World.open("emulated", ranks, 1, 1)) {
      List<Region> cells = world.register("cells", 8, RegionKind.SIGNAL);
      List<Thread> threads = new java.util.ArrayList<>();
      for (int r = 0; r < ranks; r++) {
        Fabric fabric = world.fabric(r);
        Region mine = cells.get(r);
        threads.add(
            Thread.ofPlatform()
                .start(() -> {
                  for (int i = 0; i < adds; i++) {
                    fabric.atomicAdd(0, i % ranks, mine, 0, 1);
                    fabric.ring(0, i % ranks);
                    fabric.poll(0);
                  }
                }));
      }
      for (Thread thread : threads) {
        thread.join();
      }
      for (int r = 0; r < ranks; r++) {
        assertEquals(adds, load(cells.get(r), 0));
      }
    }
  }

  /** Whatever the fence catches was accepted whole before it, or never is. */
  @Test
  void shouldAcceptNothingOnceTheFenceReturns() throws InterruptedException {
    for (int trial = 0; trial < 200; trial++) {
      try (World world = World.open("emulated", 2, 1, trial)) {
        List<Region> cells = world.register("cells", 8, RegionKind.SIGNAL);
        Fabric fabric = world.fabric(0);
        Thread sender =
            Thread.ofPlatform()
                .start(() -> {
                  while (fabric.error(0, 1) == LaneStatus.OK.word()) {
                    fabric.atomicAdd(0, 1, cells.get(0), 0, 1);
                    fabric.ring(0, 1);
                    fabric.poll(0);
                  }
                });
        while (load(cells.get(1), 0) < 10) {
          Thread.onSpinWait();
        }
        world.fabric(1).laneControl().fence(0, 0);
        long accepted = load(cells.get(1), 0);
        sender.join();
        assertEquals(accepted, load(cells.get(1), 0));
        assertEquals(LaneStatus.RETRY_EXCEEDED.word(), fabric.error(0, 1));
        assertEquals(accepted, world.fabric(1).laneControl().sample(0, 0).messages());
      }
    }
  }
}
