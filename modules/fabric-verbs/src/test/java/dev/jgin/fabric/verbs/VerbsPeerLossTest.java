// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jgin.fabric.verbs.wire.EndAddress;
import dev.jgin.fabric.verbs.wire.PortAddress;
import dev.jgin.gin.Barrier;
import dev.jgin.gin.BarrierOptions;
import dev.jgin.gin.BarrierProtocol;
import dev.jgin.gin.DeadlineException;
import dev.jgin.gin.FenceLevel;
import dev.jgin.gin.LaneFailedException;
import dev.jgin.gin.Window;
import dev.jgin.gin.spi.LaneControl;
import dev.jgin.gin.spi.LaneStatus;
import dev.jgin.gin.spi.Region;
import dev.jgin.gin.spi.RegionKind;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Queue pairs that are destroyed under a peer that goes on: both sides learn it, and in time. */
@ExtendWith(NeedsDevice.class)
@Timeout(120)
class VerbsPeerLossTest {

  private static final long SHORT = 3_000_000_000L;

  private static LaneFailedException assertRetriesExceeded(int rank, int peer, Runnable call) {
    LaneFailedException e = assertThrows(LaneFailedException.class, call::run);
    assertEquals(LaneStatus.RETRY_EXCEEDED, e.status(), e.getMessage());
    assertEquals(rank, e.rank());
    assertEquals(peer, e.peer());
    assertTrue(e.getMessage().contains("IBV_WC_RETRY_EXC_ERR, vendor code 0x"), e.getMessage());
    return e;
  }

  @Test
  void shouldFailWhoPostsToARankThatIsGoneAndEndWhoWaitsForIt() {
    try (Ranks ranks = Ranks.open(NeedsDevice.fabric(), 3, 2, SHORT)) {
      List<Window> window = ranks.world.onEachRank(c -> c.registerWindow("w", 4096));
      List<Region> data = ranks.register("data", 4096, RegionKind.DATA);
      ranks.destroy(1);
      Window mine = window.getFirst();
      ranks.world.communicator(0).context(1).put(1, mine, 0, mine, 64, 8);
      LaneFailedException e =
          assertRetriesExceeded(0, 1, ranks.world.communicator(0).context(1)::flush);
      assertEquals(1, e.context());
      // Rank 2 has posted nothing to it: no error can come, so its deadline must.
      DeadlineException late =
          assertThrows(
              DeadlineException.class,
              () -> ranks.world.communicator(2).context(0).signals().await(5, 1));
      assertTrue(
          late.getMessage()
              .contains("rank 2: deadline of 3000 ms passed: signal 5 of context 0 stands at 0"),
          late.getMessage());
      assertEquals(0, ranks.fabric(2).failures());
      for (int sender : new int[] {0, 2}) {
        int receiver = 2 - sender;
        Region from = data.get(sender);
        Ranks.store(from, 0, 7 + sender);
        ranks.send(
            sender,
            0,
            receiver,
            () -> ranks.fabric(sender).write(0, receiver, from, 0, from, 64, 8));
        ranks.await("the other peer", () -> Ranks.load(data.get(receiver), 64) == 7 + sender);
      }
    }
  }

  @Test
  void shouldFailABarrierWithARankThatIsGoneOnEveryOther() {
    try (Ranks ranks = Ranks.open(NeedsDevice.fabric(), 3, 2)) {
      List<Barrier> barriers =
          ranks.world.onEachRank(c ->
              c.barrier(
                  "b",
                  c.world(),
                  BarrierOptions.of(BarrierProtocol.FAN_IN_ALL_CONTEXTS, FenceLevel.PUT)));
      ranks.destroy(1);
      assertRetriesExceeded(0, 1, barriers.get(0)::sync);
      assertRetriesExceeded(2, 1, barriers.get(2)::sync);
    }
  }

  /** Both ranks live; the queue pair of one lane at one end does not. */
  @Test
  void shouldFailBothEndsOfALaneWhoseQueuePairIsDestroyedAndLeaveTheOthers() {
    try (Ranks ranks = Ranks.open(NeedsDevice.fabric(), 2, 2)) {
      List<Region> data = ranks.register("data", 4096, RegionKind.DATA);
      VerbsFabric sender = ranks.fabric(0);
      VerbsFabric receiver = ranks.fabric(1);
      destroyPair(ranks);
      ranks.send(0, 0, 1, () -> sender.write(0, 1, data.get(0), 0, data.get(0), 64, 8));
      ranks.await("the failure", () -> sender.error(0, 1) != 0);
      assertRetriesExceeded(0, 1, ranks.world.communicator(0)::checkLanes);
      ranks.send(1, 0, 0, () -> receiver.write(0, 0, data.get(1), 0, data.get(1), 64, 8));
      ranks.await("the failure at the other end", () -> receiver.error(0, 0) != 0);
      assertRetriesExceeded(1, 0, ranks.world.communicator(1)::checkLanes);
      Ranks.store(data.getFirst(), 0, 9);
      ranks.send(0, 1, 1, () -> sender.write(1, 1, data.get(0), 0, data.get(0), 64, 8));
      ranks.await("the other lane", () -> Ranks.load(data.get(1), 64) == 9);
    }
  }

  /**
   * Destroys the queue pair of rank 1's end of (context 0, peer 0): recovery does that with the old
   * one, and here the other end was never asked.
   */
  private static void destroyPair(Ranks ranks) {
    LaneControl control = ranks.fabric(1).laneControl();
    int lost = ranks.fabric(0).queuePairNumber(0, 1);
    control.fence(0, 0);
    ranks.await("draining", () -> control.drained(0, 0));
    control.prepare(0, 0);
    EndAddress theirs = new EndAddress(0, 0, 1, 2, lost, 5, portOfRank0(ranks));
    control.reconnect(0, 0, theirs.encode());
  }

  /** Rank 0's port, as its lane to itself on the other context tells it. */
  private static PortAddress portOfRank0(Ranks ranks) {
    LaneControl control = ranks.fabric(0).laneControl();
    control.fence(1, 0);
    return EndAddress.decode(control.prepare(1, 0)).port();
  }

  @Test
  void shouldRefuseToReconnectAnEndWithAnotherPathMtu() {
    try (Ranks ranks = Ranks.open(NeedsDevice.fabric() + ",mtu=1024", 1, 1)) {
      LaneControl control = ranks.fabric(0).laneControl();
      control.fence(0, 0);
      ranks.await("draining", () -> control.drained(0, 0));
      EndAddress own = EndAddress.decode(control.prepare(0, 0));
      assertEquals(1024, own.port().mtu());
      byte[] other =
          new EndAddress(0, 0, 0, 2, own.qpn(), own.psn(), own.port().withMtu(512)).encode();
      String why =
          assertThrows(IllegalStateException.class, () -> control.reconnect(0, 0, other))
              .getMessage();
      assertTrue(why.contains("path MTU of 1024 bytes"), why);
      assertTrue(why.contains("one of 512: "), why);
    }
  }
}
