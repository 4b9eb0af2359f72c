// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.verbs.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LaneTicketsTest {

  private static LaneTickets lane(int depth, int psn) {
    LaneTickets lane = new LaneTickets(depth);
    lane.start(psn);
    return lane;
  }

  @Test
  void shouldRefuseDepthsThatAreNoPowerOfTwo() {
    assertThrows(IllegalArgumentException.class, () -> new LaneTickets(0));
    assertThrows(IllegalArgumentException.class, () -> new LaneTickets(96));
  }

  @Test
  void shouldBeFullAtItsDepthAndHaveRoomAfterACompletion() {
    LaneTickets lane = lane(4, 0);
    for (int i = 0; i < 4; i++) {
      assertFalse(lane.full());
      assertEquals(i, lane.take(1));
    }
    assertTrue(lane.full());
    lane.rang(4);
    lane.succeeded(2);
    assertFalse(lane.full());
    assertEquals(3, lane.completed());
  }

  /**
   * Whatever the sizes of the rings, a lane that is full and rung has a signalled ticket
   * outstanding: otherwise it would stay full for ever.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4, 64})
  void shouldNeverFillWithTicketsThatNobodySignals(int depth) {
    long seed = Long.getLong("jgin.seed", 1);
    SplittableRandom random = new SplittableRandom(seed);
    LaneTickets lane = lane(depth, 0);
    boolean[] signalled = new boolean[10_000];
    for (int step = 0; step < 50_000 && lane.posted() < 9_000; step++) {
      int burst = random.nextInt(1, depth + 1);
      for (int i = 0; i < burst && !lane.full(); i++) {
        long ticket = lane.take(1);
        signalled[(int) ticket] = lane.signalled(ticket);
      }
      if (lane.posted() > lane.rung()) {
        signalled[(int) lane.posted() - 1] = true;
        lane.rang(lane.posted());
      }
      if (lane.full() || random.nextBoolean()) {
        long last = lane.rung() - 1;
        assertTrue(last < lane.completed() || signalled[(int) last], "seed " + seed);
        complete(lane, signalled, random);
      }
    }
    assertTrue(lane.posted() >= 9_000, "seed " + seed);
  }

  private static void complete(LaneTickets lane, boolean[] signalled, SplittableRandom random) {
    long until = random.nextLong(lane.completed(), lane.rung() + 1);
    for (long t = lane.completed(); t < Math.max(until, lane.full() ? lane.rung() : 0); t++) {
      if (signalled[(int) t]) {
        lane.succeeded(t);
      }
    }
  }

  @Test
  void shouldSignalTwiceInADepth() {
    LaneTickets lane = lane(8, 0);
    assertEquals(
        "00010001",
        java.util.stream.LongStream.range(0, 8)
            .mapToObj(t -> lane.signalled(t) ? "1" : "0")
            .collect(java.util.stream.Collectors.joining()));
    assertTrue(lane(1, 0).signalled(0));
  }

  @Test
  void shouldFindATicketFromItsLowBitsAcrossTheirWrap() {
    LaneTickets lane = lane(4, 0);
    assertEquals(2, lane.ticketOf(2));
    assertEquals(-1, lane.ticketOf(-1), "before the first: not outstanding");
    assertFalse(lane.outstanding(-1));
  }

  @Test
  void shouldCountPacketNumbersAcrossTheirWrap() {
    LaneTickets lane = lane(4, Psn.MAX - 1);
    lane.take(3);
    lane.take(1);
    assertEquals(Psn.MAX - 1, lane.nextPsn(), "nothing is sent yet");
    lane.rang(1);
    assertEquals(1, lane.nextPsn());
    lane.rang(2);
    assertEquals(2, lane.nextPsn());
    assertEquals(Psn.MAX - 1, lane.ackedPsn());
    lane.succeeded(0);
    assertEquals(1, lane.ackedPsn());
  }

  @Test
  void shouldKnowTheLastAcknowledgedPacketAfterAFailureAndWhateverIsPostedBehindIt() {
    LaneTickets lane = lane(4, 100);
    for (int i = 0; i < 4; i++) {
      lane.take(10);
    }
    lane.rang(4);
    lane.failedFirst(2);
    assertFalse(lane.sound());
    assertEquals(120, lane.ackedPsn(), "tickets 0 and 1 succeeded unsignalled");
    lane.flushed(3);
    for (int i = 0; i < 4; i++) {
      lane.take(10);
    }
    lane.dropUnrung();
    assertEquals(8, lane.completed());
    assertEquals(120, lane.ackedPsn());
    assertEquals(140, lane.nextPsn(), "what was never rung was never sent");
  }

  @Test
  void shouldNotDropWhatWasRungAndIsStillOutstanding() {
    LaneTickets lane = lane(4, 0);
    lane.take(1);
    lane.rang(1);
    lane.take(1);
    lane.dropUnrung();
    assertEquals(0, lane.completed());
  }

  @Test
  void shouldCountPacketsOfMessages() {
    assertEquals(1, Psn.packets(0, 10));
    assertEquals(1, Psn.packets(1, 10));
    assertEquals(1, Psn.packets(1024, 10));
    assertEquals(2, Psn.packets(1025, 10));
    assertEquals(1 << 20, Psn.packets(1L << 32, 12));
  }
}
