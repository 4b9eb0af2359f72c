// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gin.contract;

import static dev.jgin.gin.contract.ContractWorld.load;
import static dev.jgin.gin.contract.ContractWorld.store;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jgin.gin.spi.Axiom;
import dev.jgin.gin.spi.Fabric;
import dev.jgin.gin.spi.LaneControl;
import dev.jgin.gin.spi.LaneSample;
import dev.jgin.gin.spi.LaneStatus;
import dev.jgin.gin.spi.Region;
import dev.jgin.gin.spi.RegionKind;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Fencing, draining, sampling and reconnecting the lane between ranks 0 and 1 on context 0. */
abstract class LaneControlContract {

  private static final int PSN_MASK = (1 << 24) - 1;

  private ContractWorld world;
  private Fabric sender;
  private Fabric receiver;
  private LaneControl sending;
  private LaneControl receiving;
  private List<Region> data;
  private List<Region> cells;

  abstract String spec();

  @BeforeEach
  void open() {
    open(ContractWorld.seed());
  }

  private void open(long seed) {
    world = ContractWorld.open(spec(), 2, 2, seed);
    sender = world.fabric(0);
    receiver = world.fabric(1);
    sending = sender.laneControl();
    receiving = receiver.laneControl();
    data = world.register("data", 1 << 16, RegionKind.DATA);
    cells = world.register("cells", 64, RegionKind.SIGNAL);
  }

  @AfterEach
  void close() {
    world.close();
  }

  private void add(int n) {
    for (int i = 0; i < n; i++) {
      world.post(0, 0, 1, () -> sender.atomicAdd(0, 1, cells.get(0), 0, 1));
      sender.ring(0, 1);
    }
  }

  private void fenceBoth() {
    sending.fence(0, 1);
    receiving.fence(0, 0);
  }

  private void drainBoth() {
    world.await("draining", () -> sending.drained(0, 1) && receiving.drained(0, 0));
  }

  private void connectBoth() {
    byte[] ofSender = sending.prepare(0, 1);
    byte[] ofReceiver = receiving.prepare(0, 0);
    sending.reconnect(0, 1, ofReceiver);
    receiving.reconnect(0, 0, ofSender);
  }

  @Test
  void shouldStartInGenerationOne() {
    assertEquals(1, sending.generation(0, 1));
    assertEquals(1, receiving.generation(0, 0));
  }

  @Test
  void shouldRefuseStepsBeforeTheFence() {
    assertThrows(IllegalStateException.class, () -> sending.drained(0, 1));
    assertThrows(IllegalStateException.class, () -> sending.sample(0, 1));
    assertThrows(IllegalStateException.class, () -> sending.prepare(0, 1));
    assertThrows(IllegalStateException.class, () -> sending.reconnect(0, 1, new byte[8]));
    assertEquals(0, sender.failures());
  }

  @Test
  void shouldRefuseToReconnectUnprepared() {
    fenceBoth();
    drainBoth();
    byte[] address = receiving.prepare(0, 0);
    assertThrows(IllegalStateException.class, () -> sending.reconnect(0, 1, address));
  }

  @Test
  void shouldRefuseAddressesOfOtherLanesAndGenerations() {
    fenceBoth();
    drainBoth();
    byte[] old = receiving.prepare(0, 0);
    connectBoth();
    fenceBoth();
    drainBoth();
    sending.prepare(0, 1);
    assertThrows(IllegalStateException.class, () -> sending.reconnect(0, 1, old));
    assertThrows(IllegalStateException.class, () -> sending.reconnect(0, 1, new byte[3]));
    sending.fence(1, 1);
    receiving.fence(1, 0);
    byte[] otherContext = receiving.prepare(1, 0);
    assertThrows(IllegalStateException.class, () -> sending.reconnect(0, 1, otherContext));
    assertEquals(2, sending.generation(0, 1));
  }

  @Test
  void shouldFlushOutstandingWorkOfAFencedEnd() {
    add(3);
    world.post(0, 0, 1, () -> sender.atomicAdd(0, 1, cells.get(0), 0, 1));
    sending.fence(0, 1);
    assertEquals(LaneStatus.FENCED.word(), sender.error(0, 1));
    assertEquals(1, sender.failures());
    world.awaitCompletion(0, 0, 1);
    assertEquals(0, sender.error(1, 1), "other lanes work");
    sending.fence(0, 1);
    assertEquals(1, sender.failures(), "fencing twice is fencing once");
  }

  @Test
  void shouldFailASenderWhoseReceiverIsFenced() {
    receiving.fence(0, 0);
    add(3);
    world.await(
        "the failure",
        () -> sender.error(0, 1) == LaneStatus.RETRY_EXCEEDED.word() && sender.failures() == 1);
    world.awaitCompletion(0, 0, 1);
    assertEquals(0, load(cells.get(1), 0), "nothing is accepted after the fence");
    sending.fence(0, 1);
    assertEquals(LaneStatus.RETRY_EXCEEDED.word(), sender.error(0, 1), "the first failure stays");
  }

  @Test
  void shouldChangeNothingOnceDrainedAndCountWhatItAccepted() {
    for (long seed = ContractWorld.seed(); seed < ContractWorld.seed() + 20; seed++) {
      close();
      open(seed);
      add(20);
      for (int i = 0; i < seed; i++) {
        world.move();
      }
      receiving.fence(0, 0);
      sending.fence(0, 1);
      drainBoth();
      LaneSample mine = sending.sample(0, 1);
      LaneSample theirs = receiving.sample(0, 0);
      long landed = load(cells.get(1), 0);
      int acked = (theirs.expectedPsn() - mine.ackedPsn()) & PSN_MASK;
      int sent = (mine.nextSendPsn() - mine.ackedPsn()) & PSN_MASK;
      assertTrue(acked <= sent, "seed " + seed + ": accepted is between acknowledged and sent");
      boolean counted = theirs.messages() != LaneSample.MESSAGES_UNKNOWN;
      if (counted && sender.axioms().promises(Axiom.A6)) {
        assertEquals(theirs.messages(), landed, "seed " + seed);
      }
      for (int i = 0; i < 200; i++) {
        world.move();
      }
      assertEquals(landed, load(cells.get(1), 0), "seed " + seed);
      assertTrue(receiving.drained(0, 0));
      assertEquals(theirs, receiving.sample(0, 0));
    }
  }

  @Test
  void shouldCarryTrafficAgainAndNothingOld() {
    for (long seed = ContractWorld.seed(); seed < ContractWorld.seed() + 20; seed++) {
      close();
      open(seed);
      store(data.get(0), 0, 666);
      for (int i = 0; i < 10; i++) {
        world.post(0, 0, 1, () -> sender.write(0, 1, data.get(0), 0, data.get(0), 64, 8));
        sender.ring(0, 1);
      }
      for (int i = 0; i < 2 * seed; i++) {
        world.move();
      }
      fenceBoth();
      drainBoth();
      store(data.get(1), 64, 1);
      connectBoth();
      assertEquals(2, sending.generation(0, 1));
      assertEquals(LaneStatus.OK.word(), sender.error(0, 1));
      assertEquals(0, sender.posted(0, 1));
      assertEquals(0, sender.completed(0, 1));
      store(data.get(0), 0, 7);
      assertEquals(0, sender.write(0, 1, data.get(0), 0, data.get(0), 128, 8));
      sender.ring(0, 1);
      world.awaitCompletion(0, 0, 1);
      world.await("the new write", () -> load(data.get(1), 128) == 7);
      for (int i = 0; i < 200; i++) {
        world.move();
      }
      assertEquals(1, load(data.get(1), 64), "seed " + seed + ": an old write landed");
    }
  }

  @Test
  void shouldHoldTrafficUntilThePeerIsConnectedToo() {
    fenceBoth();
    drainBoth();
    byte[] ofSender = sending.prepare(0, 1);
    byte[] ofReceiver = receiving.prepare(0, 0);
    sending.reconnect(0, 1, ofReceiver);
    world.post(0, 0, 1, () -> sender.writeInline(0, 1, cells.get(0), 0, 1, 8));
    sender.ring(0, 1);
    for (int i = 0; i < 200; i++) {
      world.move();
    }
    assertEquals(0, load(cells.get(1), 0));
    assertEquals(LaneStatus.OK.word(), sender.error(0, 1));
    receiving.reconnect(0, 0, ofSender);
    world.await("the held write", () -> load(cells.get(1), 0) == 1);
    world.awaitCompletion(0, 0, 1);
  }

  @Test
  void shouldReconnectTheLaneToItself() {
    LaneControl own = sender.laneControl();
    own.fence(1, 0);
    world.await("draining", () -> own.drained(1, 0));
    own.reconnect(1, 0, own.prepare(1, 0));
    world.post(0, 1, 0, () -> sender.writeInline(1, 0, cells.get(0), 8, 3, 8));
    sender.ring(1, 0);
    world.await("the write", () -> load(cells.get(0), 8) == 3);
    assertFalse(sender.failures() == 0);
  }
}
