// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gin.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jgin.gin.Communicator;
import dev.jgin.gin.CommunicatorOptions;
import dev.jgin.gin.Context;
import dev.jgin.gin.DeadlineException;
import dev.jgin.gin.FanInSignal;
import dev.jgin.gin.LaneFailedException;
import dev.jgin.gin.LocalWorld;
import dev.jgin.gin.Window;
import dev.jgin.gin.spi.Axiom;
import dev.jgin.gin.spi.FabricSpec;
import dev.jgin.gin.spi.LaneStatus;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Puts, signals, counters and fan-in signals on a carrier. */
public abstract class ModelContract {

  private static final long TIMEOUT = 20_000_000_000L;
  private static final long ROW = 4096;

  /** How to open the carrier under test; {@code seed} varies its disorder. */
  protected abstract FabricSpec spec(int contexts, long seed);

  /**
   * Whether disorder that the axioms allow is certain to be seen. A real device may happen to be in
   * order on an idle machine; that refutes nothing, so there the control is not asked for.
   */
  protected boolean showsDisorder() {
    return true;
  }

  private static CommunicatorOptions options() {
    return CommunicatorOptions.defaults().withAllowUnsound(true).withTimeoutNanos(TIMEOUT);
  }

  private LocalWorld open(int ranks, int contexts, long seed) {
    return LocalWorld.open(spec(contexts, seed), ranks, options());
  }

  private static List<Window> window(LocalWorld world, String name, long bytes) {
    return world.onEachRank(c -> c.registerWindow(name, bytes));
  }

  private static void fill(MemorySegment segment, long offset, long bytes, long value) {
    for (long i = 0; i < bytes; i += Long.BYTES) {
      segment.set(ValueLayout.JAVA_LONG, offset + i, value);
    }
  }

  /**
   * First word of the range that is not {@code value}, or -1. Backwards: stale words are likelier
   * there.
   */
  private static long stale(MemorySegment segment, long offset, long bytes, long value) {
    for (long i = bytes - Long.BYTES; i >= 0; i -= Long.BYTES) {
      if (segment.get(ValueLayout.JAVA_LONG, offset + i) != value) {
        return i;
      }
    }
    return -1;
  }

  @Test
  void shouldShowAPutBehindItsSignal() {
    try (LocalWorld world = open(2, 1, 1)) {
      assumeTrue(world.communicator(0).fabric().axioms().promises(Axiom.A4));
      List<Window> src = window(world, "src", ROW);
      List<Window> dst = window(world, "dst", ROW);
      Context sender = world.communicator(0).context(0);
      for (long i = 1; i <= 50; i++) {
        fill(src.get(0).local(), 0, ROW, i);
        sender.putSignal(1, dst.get(0), 0, src.get(0), 0, ROW, 3, 1);
        world.communicator(1).context(0).signals().await(3, i);
        assertEquals(-1, stale(dst.get(1).local(), 0, ROW, i), "put " + i);
        sender.flush();
      }
    }
  }

  @Test
  void shouldCountSignalsOfAllPeersExactly() {
    int ranks = 4;
    try (LocalWorld world = open(ranks, 2, 2)) {
      assumeTrue(world.communicator(0).fabric().axioms().promises(Axiom.A6));
      for (int r = 0; r < ranks; r++) {
        for (int i = 0; i < 25; i++) {
          world.communicator(r).context(1).signalAdd(0, 5, r + 1);
        }
      }
      Context receiver = world.communicator(0).context(1);
      receiver.signals().await(5, 250);
      for (int r = 0; r < ranks; r++) {
        world.communicator(r).context(1).flush();
      }
      assertEquals(250, receiver.signals().read(5));
      assertEquals(0, world.communicator(0).context(0).signals().read(5), "another context's cell");
    }
  }

  @Test
  void shouldFollowShadowsAndResetWithoutLosingAnAdd() {
    try (LocalWorld world = open(2, 1, 3)) {
      assumeTrue(world.communicator(0).fabric().axioms().promises(Axiom.A6));
      Context sender = world.communicator(0).context(0);
      var signals = world.communicator(1).context(0).signals();
      sender.signalAdd(1, 0, 2);
      signals.increaseShadow(0, 2);
      signals.awaitShadow(0, TIMEOUT);
      sender.signalAdd(1, 0, 3);
      long followed = signals.awaitAndFollow(0, 3, TIMEOUT);
      assertEquals(3, followed);
      assertEquals(5, signals.shadow(0));
      sender.signalInc(1, 0);
      signals.await(0, 6);
      signals.reset(0);
      assertEquals(0, signals.read(0));
      sender.signalInc(1, 0);
      signals.await(0, 1);
      assertEquals(1, signals.read(0));
    }
  }

  @Test
  void shouldWrapASignalWithoutDrift() {
    try (LocalWorld world = open(2, 1, 4)) {
      assumeTrue(world.communicator(0).fabric().axioms().promises(Axiom.A6));
      Context sender = world.communicator(0).context(0);
      var signals = world.communicator(1).context(0).signals();
      sender.signalAdd(1, 0, Long.MAX_VALUE);
      signals.await(0, Long.MAX_VALUE);
      assertFalse(signals.reached(0, Long.MAX_VALUE + 1));
      sender.signalAdd(1, 0, 2);
      signals.await(0, Long.MAX_VALUE + 2);
    }
  }

  @Test
  void shouldPutValuesOfEverySize() {
    try (LocalWorld world = open(2, 1, 5)) {
      List<Window> dst = window(world, "dst", 64);
      List<FanInSignal> done = world.onEachRank(c -> c.fanInSignal("done"));
      assumeTrue(world.communicator(0).fabric().axioms().promises(Axiom.A4));
      Context sender = world.communicator(0).context(0);
      long value = 0x1122_3344_5566_7788L;
      sender.putValue(1, dst.get(0), 0, value, 1);
      sender.putValue(1, dst.get(0), 8, value, 2);
      sender.putValue(1, dst.get(0), 16, value, 4);
      sender.putValue(1, dst.get(0), 24, value, 8);
      done.get(0).signal(1);
      done.get(1).await(0, 1, TIMEOUT);
      MemorySegment seen = dst.get(1).local();
      assertEquals(0x88L, seen.get(ValueLayout.JAVA_LONG, 0));
      assertEquals(0x7788L, seen.get(ValueLayout.JAVA_LONG, 8));
      assertEquals(0x5566_7788L, seen.get(ValueLayout.JAVA_LONG, 16));
      assertEquals(value, seen.get(ValueLayout.JAVA_LONG, 24));
    }
  }

  @Test
  void shouldCountPutsWhoseSourceIsReusable() {
    try (LocalWorld world = open(2, 1, 6)) {
      List<Window> w = window(world, "w", ROW);
      Context sender = world.communicator(0).context(0);
      for (int i = 0; i < 10; i++) {
        while (!sender.tryPutCounted(1, w.get(0), 0, w.get(0), 0, ROW, i % 2)) {
          world.communicator(0).progress();
        }
      }
      sender.counters().await(0, 5, TIMEOUT);
      sender.counters().await(1, 5, TIMEOUT);
      assertEquals(5, sender.counters().read(0));
      sender.counters().reset(0);
      assertEquals(0, sender.counters().read(0));
    }
  }

  @Test
  void shouldGetWhatThePeerHolds() {
    try (LocalWorld world = open(2, 2, 7)) {
      List<Window> w = window(world, "w", 2 * ROW);
      fill(w.get(1).local(), 0, ROW, 77);
      Context reader = world.communicator(0).context(1);
      reader.get(1, w.get(0), 0, w.get(0), ROW, ROW);
      reader.flush();
      assertEquals(-1, stale(w.get(0).local(), ROW, ROW, 77));
    }
  }

  @Test
  void shouldBlockForRoomInsteadOfLosingAPut() {
    try (LocalWorld world = open(2, 1, 8)) {
      assumeTrue(world.communicator(0).fabric().axioms().promises(Axiom.A4));
      List<Window> w = window(world, "w", Long.BYTES);
      List<FanInSignal> done = world.onEachRank(c -> c.fanInSignal("done"));
      Context sender = world.communicator(0).context(0);
      int puts = 3 * world.communicator(0).fabric().laneDepth() + 1;
      for (int i = 1; i <= puts; i++) {
        sender.putValue(1, w.get(0), 0, i, 8);
      }
      done.get(0).signal(1);
      done.get(1).await(0, 1, TIMEOUT);
      if (world.communicator(0).fabric().axioms().promises(Axiom.A1W)) {
        assertEquals(puts, w.get(1).local().get(ValueLayout.JAVA_LONG, 0));
      }
    }
  }

  @Test
  void shouldFanInOverEveryContextHoweverFarTheSenderLeads() {
    int contexts = 4;
    for (long seed = 1; seed <= 5; seed++) {
      try (LocalWorld world = open(2, contexts, seed)) {
        assumeTrue(world.communicator(0).fabric().axioms().promises(Axiom.A4));
        assumeTrue(world.communicator(0).fabric().axioms().promises(Axiom.A6));
        int signals = 8;
        List<Window> src = window(world, "src", (long) signals * contexts * ROW);
        List<Window> dst = window(world, "dst", (long) signals * contexts * ROW);
        List<FanInSignal> here = world.onEachRank(c -> c.fanInSignal("rows are here"));
        for (int s = 0; s < signals; s++) {
          for (int c = 0; c < contexts; c++) {
            long at = ((long) s * contexts + c) * ROW;
            fill(src.get(0).local(), at, ROW, s + 1);
            world.communicator(0).context(c).put(1, dst.get(0), at, src.get(0), at, ROW);
          }
          here.get(0).signal(1);
        }
        for (int s = 0; s < signals; s++) {
          here.get(1).await(0, s + 1, TIMEOUT);
          for (int c = 0; c < contexts; c++) {
            long at = ((long) s * contexts + c) * ROW;
            assertEquals(
                -1,
                stale(dst.get(1).local(), at, ROW, s + 1),
                "signal " + (s + 1) + " context " + c + " seed " + seed);
          }
        }
        assertEquals(signals, here.get(1).arrived(0));
      }
    }
  }

  /** The control of the test above: a signal on one context does not speak for the others. */
  @Test
  void shouldSeeASignalOvertakeOtherContextsWhereNothingForbidsIt() {
    assumeTrue(showsDisorder(), "this carrier may happen to be in order");
    boolean overtaken = false;
    for (long seed = 1; seed <= 20 && !overtaken; seed++) {
      try (LocalWorld world = open(2, 4, seed)) {
        assumeTrue(
            !world.communicator(0).fabric().axioms().promises(Axiom.A2_ACROSS_LANES),
            "this carrier orders lanes");
        List<Window> src = window(world, "src", 4 * ROW);
        List<Window> dst = window(world, "dst", 4 * ROW);
        fill(src.get(0).local(), 0, 4 * ROW, 9);
        for (int c = 1; c < 4; c++) {
          world.communicator(0).context(c).put(1, dst.get(0), c * ROW, src.get(0), c * ROW, ROW);
        }
        world.communicator(0).context(0).signalInc(1, 0);
        world.communicator(1).context(0).signals().await(0, 1);
        overtaken = stale(dst.get(1).local(), ROW, 3 * ROW, 9) >= 0;
      }
    }
    assertTrue(overtaken, "no seed of 1..20 let the signal overtake a put on another context");
  }

  @Test
  void shouldEndEveryWaitAtItsDeadline() {
    try (LocalWorld world = open(2, 2, 9)) {
      Communicator comm = world.communicator(0);
      String why =
          assertThrows(
                  DeadlineException.class, () -> comm.context(1).signals().await(2, 7, 1_000_000L))
              .getMessage();
      assertTrue(why.contains("signal 2 of context 1") && why.contains("waiting for 7"), why);
      FanInSignal fanIn = world.onEachRank(c -> c.fanInSignal("f")).getFirst();
      why = assertThrows(DeadlineException.class, () -> fanIn.await(1, 1, 1_000_000L)).getMessage();
      assertTrue(why.contains("peer 1") && why.contains("contexts 0 at 0, 1 at 0"), why);
    }
  }

  /** What a failed lane flushed is out of the way, and complete it is not. */
  @Test
  void shouldNotCallFlushedWhatAFailedLaneThrewAway() {
    try (LocalWorld world = open(2, 2, 11)) {
      List<Window> w = window(world, "w", ROW);
      Communicator comm = world.communicator(0);
      Context sender = comm.context(1);
      assertTrue(sender.tryPutCounted(1, w.get(0), 0, w.get(0), 0, ROW, 0));
      comm.fabric().laneControl().fence(1, 1);
      assertFenced(assertThrows(LaneFailedException.class, sender::flush));
      assertFenced(assertThrows(LaneFailedException.class, () -> sender.flushed(1)));
      assertFenced(
          assertThrows(LaneFailedException.class, () -> sender.counters().await(0, 1, TIMEOUT)));
      assertTrue(comm.context(0).flushed(), "another context");
      assertTrue(sender.flushed(0), "another lane");
    }
  }

  private static void assertFenced(LaneFailedException e) {
    assertEquals(LaneStatus.FENCED, e.status(), e.getMessage());
    assertEquals(1, e.context());
    assertEquals(1, e.peer());
  }

  @Test
  void shouldNameIdsThatDoNotExist() {
    try (LocalWorld world = open(1, 1, 10)) {
      Context context = world.communicator(0).context(0);
      String why =
          assertThrows(IndexOutOfBoundsException.class, () -> context.signalInc(0, 16))
              .getMessage();
      assertTrue(why.contains("signal 16") && why.contains("has 16"), why);
      assertThrows(IndexOutOfBoundsException.class, () -> context.counters().read(-1));
    }
  }
}
