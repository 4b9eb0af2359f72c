// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gin.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jgin.gin.Barrier;
import dev.jgin.gin.BarrierOptions;
import dev.jgin.gin.BarrierProtocol;
import dev.jgin.gin.Communicator;
import dev.jgin.gin.CommunicatorOptions;
import dev.jgin.gin.DeadlineException;
import dev.jgin.gin.FenceLevel;
import dev.jgin.gin.LocalWorld;
import dev.jgin.gin.Team;
import dev.jgin.gin.UnsoundProtocolException;
import dev.jgin.gin.Window;
import dev.jgin.gin.spi.Axiom;
import dev.jgin.gin.spi.FabricSpec;
import dev.jgin.gin.spi.RankTask;
import dev.jgin.gin.spi.RankTask.Step;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Barriers of every protocol on a carrier. */
public abstract class BarrierContract {

  private static final long TIMEOUT = 20_000_000_000L;
  private static final long ROW = 1024;
  private static final int RANKS = 4;
  private static final int CONTEXTS = 3;
  private static final int EPOCHS = 30;

  /** How to open the carrier under test; {@code seed} varies its disorder. */
  protected abstract FabricSpec spec(int contexts, long seed);

  /** As {@link ModelContract#showsDisorder}. */
  protected boolean showsDisorder() {
    return true;
  }

  private LocalWorld open(int ranks, int contexts, long seed, boolean allowUnsound) {
    CommunicatorOptions options =
        CommunicatorOptions.defaults().withAllowUnsound(allowUnsound).withTimeoutNanos(TIMEOUT);
    return LocalWorld.open(spec(contexts, seed), ranks, options);
  }

  private static boolean sound(LocalWorld world, BarrierProtocol protocol, FenceLevel fence) {
    Communicator comm = world.communicator(0);
    BarrierProtocol.Needs needs = protocol.needs(fence, comm.contexts());
    return comm.fabric().axioms().granuleBytes() >= needs.granuleBytes()
        && needs.alternatives().stream().anyMatch(comm.fabric().axioms().promised()::containsAll);
  }

  /** A rank that puts a row to every peer on a rotating context, passes the barrier and looks. */
  private static final class Program implements RankTask {
    private final Communicator comm;
    private final Window src;
    private final Window dst;
    private final Barrier barrier;
    private long epoch = 1;
    private int phase;
    private int peer;
    private int staleRows;

    Program(Communicator comm, Window src, Window dst, BarrierOptions options) {
      this.comm = comm;
      this.src = src;
      this.dst = dst;
      this.barrier = comm.barrier("b", comm.world(), options);
    }

    private long slot(int source) {
      return ((epoch & 1) * comm.size() + source) * ROW;
    }

    @Override
    public Step step() {
      comm.progress();
      comm.checkLanes();
      switch (phase) {
        case 0 -> {
          if (!comm.context(0).flushed()
              || !comm.context(1).flushed()
              || !comm.context(2).flushed()) {
            return Step.WAITING;
          }
          for (long i = 0; i < ROW; i += 8) {
            src.local().set(ValueLayout.JAVA_LONG, i, epoch);
          }
          peer = 0;
          phase = 1;
        }
        case 1 -> {
          for (; peer < comm.size(); peer++) {
            int context = (int) ((peer + epoch) % comm.contexts());
            if (!comm.context(context).tryPut(peer, dst, slot(comm.rank()), src, 0, ROW)) {
              return Step.WAITING;
            }
          }
          phase = 2;
        }
        case 2 -> {
          if (!barrier.tryArrive()) {
            return Step.WAITING;
          }
          phase = 3;
        }
        default -> {
          if (!barrier.poll()) {
            return Step.WAITING;
          }
          assertEquals(epoch, barrier.epoch());
          look();
          phase = 0;
          if (epoch++ == EPOCHS) {
            return Step.DONE;
          }
        }
      }
      return Step.PROGRESS;
    }

    private void look() {
      MemorySegment rows = dst.local();
      for (int source = 0; source < comm.size(); source++) {
        for (long i = ROW - 8; i >= 0; i -= 8) {
          if (rows.get(ValueLayout.JAVA_LONG, slot(source) + i) != epoch) {
            staleRows++;
            break;
          }
        }
      }
    }
  }

  private int staleRows(BarrierProtocol protocol, long seed) {
    try (LocalWorld world = open(RANKS, CONTEXTS, seed, true)) {
      List<Program> programs =
          world.onEachRank(c ->
              new Program(
                  c,
                  c.registerWindow("src", ROW),
                  c.registerWindow("dst", 2L * RANKS * ROW),
                  BarrierOptions.of(protocol, FenceLevel.PUT)));
      world.run(programs);
      return programs.stream().mapToInt(p -> p.staleRows).sum();
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "ORDER_FREE")
  void shouldShowEveryPutAfterTheWaitWhereItIsSound(BarrierProtocol protocol) {
    try (LocalWorld world = open(RANKS, CONTEXTS, 1, true)) {
      assumeTrue(sound(world, protocol, FenceLevel.PUT), "unsound on this carrier");
    }
    for (long seed = 1; seed <= 5; seed++) {
      assertEquals(0, staleRows(protocol, seed), protocol + " seed " + seed);
    }
  }

  /** The control of the test above. */
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "ORDER_FREE")
  void shouldShowStaleRowsWhereItIsUnsound(BarrierProtocol protocol) {
    assumeTrue(showsDisorder(), "this carrier may happen to be in order");
    try (LocalWorld world = open(RANKS, CONTEXTS, 1, true)) {
      assumeTrue(!sound(world, protocol, FenceLevel.PUT), "sound on this carrier");
      // Without A6 a count may never come true; that is a deadline, not a stale row.
      assumeTrue(world.communicator(0).fabric().axioms().promises(Axiom.A6));
    }
    int stale = 0;
    for (long seed = 1; seed <= 10 && stale == 0; seed++) {
      stale = staleRows(protocol, seed);
    }
    assertTrue(stale > 0, protocol + " showed no stale row in seeds 1..10");
  }

  @ParameterizedTest
  @EnumSource
  void shouldRefuseWhatTheCarrierDoesNotPromise(BarrierProtocol protocol) {
    try (LocalWorld world = open(2, CONTEXTS, 1, false)) {
      BarrierOptions options =
          new BarrierOptions(
              protocol, FenceLevel.PUT_AND_GET, 0L, Optional.of((member, rows, epoch) -> true));
      if (sound(world, protocol, options.fence())) {
        world.onEachRank(c -> c.barrier("b", c.world(), options));
      } else {
        assertThrows(
            UnsoundProtocolException.class,
            () -> world.onEachRank(c -> c.barrier("b", c.world(), options)));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldMeetWithoutFencing(BarrierProtocol protocol) {
    try (LocalWorld world = open(3, CONTEXTS, 2, true)) {
      assumeTrue(sound(world, protocol, FenceLevel.NONE), "unsound on this carrier");
      List<Barrier> barriers =
          world.onEachRank(
              c -> c.barrier("b", c.world(), BarrierOptions.of(protocol, FenceLevel.NONE)));
      for (int epoch = 1; epoch <= 5; epoch++) {
        barriers.get(0).arrive();
        barriers.get(1).arrive();
        for (int i = 0; i < 100; i++) {
          world.communicator(0).progress();
          assertFalse(barriers.get(0).poll(), "passed before member 2 arrived");
        }
        barriers.get(2).arrive();
        for (Barrier barrier : barriers) {
          barrier.await();
          assertEquals(epoch, barrier.epoch());
        }
      }
    }
  }

  @Test
  void shouldLandOwnGetsBehindAGetFence() {
    try (LocalWorld world = open(2, 2, 3, true)) {
      assumeTrue(world.communicator(0).fabric().axioms().promises(Axiom.A6));
      List<Window> w = world.onEachRank(c -> c.registerWindow("w", 2 * ROW));
      List<Barrier> barriers =
          world.onEachRank(c ->
              c.barrier(
                  "b",
                  c.world(),
                  BarrierOptions.of(BarrierProtocol.FAN_IN_ALL_CONTEXTS, FenceLevel.GET)));
      for (long i = 1; i <= 20; i++) {
        w.get(1).local().set(ValueLayout.JAVA_LONG, 0, i);
        world.communicator(0).context(1).get(1, w.get(0), 0, w.get(0), ROW, 8);
        barriers.get(0).arrive();
        barriers.get(1).arrive();
        barriers.get(0).await();
        barriers.get(1).await();
        assertEquals(i, w.get(0).local().get(ValueLayout.JAVA_LONG, ROW));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldSayWhoIsMissingAtItsDeadlineAndStayDead(BarrierProtocol protocol) {
    CommunicatorOptions options =
        CommunicatorOptions.defaults().withAllowUnsound(true).withTimeoutNanos(2_000_000L);
    try (LocalWorld world = LocalWorld.open(spec(2, 4), 2, options)) {
      Barrier barrier =
          world
              .onEachRank(
                  c -> c.barrier("b", c.world(), BarrierOptions.of(protocol, FenceLevel.NONE)))
              .getFirst();
      barrier.arrive();
      String why = assertThrows(DeadlineException.class, barrier::await).getMessage();
      assertTrue(why.contains("epoch 1") && why.contains("member 1"), why);
      assertTrue(barrier.isPoisoned());
      assertThrows(IllegalStateException.class, barrier::poll);
      assertThrows(IllegalStateException.class, barrier::arrive);
    }
  }

  @Test
  void shouldSeparateArrivingFromWaiting() {
    try (LocalWorld world = open(2, 1, 5, true)) {
      List<Barrier> barriers =
          world.onEachRank(c ->
              c.barrier(
                  "b",
                  c.world(),
                  BarrierOptions.of(BarrierProtocol.FAN_IN_USED_CONTEXTS, FenceLevel.NONE)));
      assertThrows(IllegalStateException.class, () -> barriers.get(0).poll());
      barriers.get(0).arrive();
      assertThrows(IllegalStateException.class, () -> barriers.get(0).tryArrive());
    }
  }

  @Test
  void shouldHoldATeamApartFromTheRest() {
    try (LocalWorld world = open(4, 2, 6, true)) {
      assumeTrue(world.communicator(0).fabric().axioms().promises(Axiom.A6));
      Team odd = Team.of(4, 3, 1);
      List<Barrier> barriers =
          world.onEachRank(c ->
              c.barrier(
                  "odd",
                  odd,
                  BarrierOptions.of(BarrierProtocol.FAN_IN_ALL_CONTEXTS, FenceLevel.PUT)));
      for (int epoch = 0; epoch < 5; epoch++) {
        barriers.get(1).arrive();
        barriers.get(3).arrive();
        barriers.get(3).await();
        barriers.get(1).await();
      }
      String why =
          assertThrows(IllegalStateException.class, () -> barriers.get(0).tryArrive()).getMessage();
      assertTrue(why.contains("rank 0 is not in its team"), why);
    }
  }

  @Test
  void shouldRefuseMoreContextsThanTheMaskHolds() {
    try (LocalWorld world = open(2, 33, 7, true)) {
      String why =
          assertThrows(
                  IllegalArgumentException.class,
                  () ->
                      world.onEachRank(c ->
                          c.barrier(
                              "b",
                              c.world(),
                              BarrierOptions.of(
                                  BarrierProtocol.FAN_IN_USED_CONTEXTS, FenceLevel.PUT))))
              .getMessage();
      assertTrue(why.contains("33") && why.contains("32") && why.contains("FAN_IN_ALL"), why);
    }
  }

  @Test
  void shouldPassAloneInAWorldOfOne() {
    for (BarrierProtocol protocol : BarrierProtocol.values()) {
      try (LocalWorld world = open(1, 2, 8, true)) {
        assumeTrue(world.communicator(0).fabric().axioms().promises(Axiom.A6));
        Barrier barrier =
            world
                .onEachRank(
                    c -> c.barrier("b", c.world(), BarrierOptions.of(protocol, FenceLevel.NONE)))
                .getFirst();
        barrier.sync();
        barrier.sync();
        assertEquals(2, barrier.epoch(), protocol.toString());
      }
    }
  }
}
