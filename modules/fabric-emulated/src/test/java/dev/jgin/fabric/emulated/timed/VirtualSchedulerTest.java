// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.emulated.timed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jgin.fabric.emulated.World;
import dev.jgin.gin.DeadlineException;
import dev.jgin.gin.spi.Fabric;
import dev.jgin.gin.spi.RankTask;
import dev.jgin.gin.spi.RankTask.Step;
import dev.jgin.gin.spi.Region;
import dev.jgin.gin.spi.RegionKind;
import dev.jgin.gin.spi.StepScheduler;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class VirtualSchedulerTest {

  private static final RankTask IDLE = () -> Step.DONE;
  private static final RankTask FOREVER = () -> Step.WAITING;

  private World world;
  private StepScheduler scheduler;
  private LongSupplier clock;

  @BeforeEach
  void open() {
    world = World.open("emulated:adversarial", 2, 2, 1);
    scheduler = world.fabric(0).scheduler().orElseThrow();
    clock = world.fabric(0).clock();
  }

  @AfterEach
  void close() {
    world.close();
  }

  @Test
  void shouldBeOneSchedulerForAllRanks() {
    assertSame(scheduler, world.fabric(1).scheduler().orElseThrow());
  }

  @Test
  void shouldJumpToADeadlineWhenNothingElseCanHappen() {
    long deadline = clock.getAsLong() + 3_600_000_000_000L;
    AtomicInteger looks = new AtomicInteger();
    scheduler.run(
        List.of(
            IDLE,
            () -> {
              looks.incrementAndGet();
              return clock.getAsLong() >= deadline ? Step.DONE : Step.WAITING;
            }));
    assertTrue(clock.getAsLong() >= deadline);
    assertTrue(looks.get() < 100, "an hour took " + looks.get() + " looks");
  }

  @Test
  void shouldSayWhoWaitsWhenNothingCanEverHappen() {
    DeadlineException e =
        assertThrows(DeadlineException.class, () -> scheduler.run(List.of(IDLE, FOREVER)));
    assertTrue(e.getMessage().contains("ranks [1] wait"), e.getMessage());
  }

  @Test
  void shouldStepAgainARankWhoseConditionNoCarrierKnows() {
    AtomicInteger flag = new AtomicInteger();
    scheduler.run(
        List.of(
            () -> flag.incrementAndGet() == 5 ? Step.DONE : Step.PROGRESS,
            () -> flag.get() == 5 ? Step.DONE : Step.WAITING));
    assertEquals(5, flag.get());
  }

  @Test
  void shouldThrowWhatAProgramThrowsAndRunAgain() {
    IllegalStateException failure = new IllegalStateException("program");
    RankTask failing =
        () -> {
          throw failure;
        };
    assertSame(
        failure,
        assertThrows(IllegalStateException.class, () -> scheduler.run(List.of(FOREVER, failing))));
    scheduler.run(List.of(IDLE, IDLE));
  }

  @Test
  void shouldRefuseToRunInsideItselfOrForTooFewRanks() {
    assertThrows(IllegalArgumentException.class, () -> scheduler.run(List.of(IDLE)));
    RankTask nested =
        () -> {
          scheduler.run(List.of(IDLE, IDLE));
          return Step.DONE;
        };
    assertThrows(IllegalStateException.class, () -> scheduler.run(List.of(nested, IDLE)));
  }

  @Test
  void shouldMoveUnderAStepThatBlocks() {
    List<Region> cells = world.register("cells", 64, RegionKind.SIGNAL);
    Fabric fabric = world.fabric(0);
    scheduler.run(
        List.of(
            () -> {
              fabric.atomicAdd(0, 1, cells.get(0), 0, 1);
              fabric.ring(0, 1);
              while (fabric.completed(0, 1) == 0) {
                fabric.progress();
                fabric.poll(0);
              }
              return Step.DONE;
            },
            () -> World.load(cells.get(1), 0) == 1 ? Step.DONE : Step.WAITING));
  }

  @Test
  void shouldLetTimePassForAWaitOutsideOfARun() {
    long start = clock.getAsLong();
    int calls = 0;
    while (clock.getAsLong() - start < 1_000_000_000L) {
      world.fabric(0).progress();
      calls++;
    }
    assertTrue(calls < 100_000, "calls " + calls);
  }
}
