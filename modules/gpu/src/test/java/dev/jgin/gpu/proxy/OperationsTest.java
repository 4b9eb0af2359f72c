// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gpu.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jgin.bindings.abi.abi_h;
import dev.jgin.bindings.abi.jgin_proxy_word;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What each operation of a descriptor does, on the plain carrier. */
class OperationsTest {
  private static final int SEND = abi_h.JGIN_WINDOW_SEND_ROWS();
  private static final int RECEIVE = abi_h.JGIN_WINDOW_RECEIVE_ROWS();
  private static final int SIGNALS = abi_h.JGIN_WINDOW_SIGNALS();

  @Test
  void shouldPutRowsAndValuesAndSignals() {
    try (SelfWorld world = new SelfWorld()) {
      RingProducer producer = world.producer(1);
      world.send.local().set(ValueLayout.JAVA_LONG, 128, 77);
      assertTrue(producer.beginPut(SEND, 128, RECEIVE, 248, 8, 1));
      producer.finish();
      assertTrue(producer.beginPutValue(RECEIVE, 0, -2, 1));
      producer.finish();
      assertTrue(producer.beginPutValue(SIGNALS, 8, Long.MIN_VALUE + 9, 1));
      producer.finish();
      for (int i = 0; i < 3; i++) {
        assertTrue(producer.beginSignal(SIGNALS, 56, 5, 1));
        producer.finish();
      }
      world.stepUntilIdle();
      world.stream.requireUsable();
      assertEquals(77, world.receive.local().get(ValueLayout.JAVA_LONG, 248));
      assertEquals(-2, world.receive.local().get(ValueLayout.JAVA_LONG, 0));
      assertEquals(Long.MIN_VALUE + 9, world.signals.local().get(ValueLayout.JAVA_LONG, 8));
      assertEquals(15, world.signals.local().get(ValueLayout.JAVA_LONG, 56));
      assertEquals(6, world.consumed(1));
      assertEquals(6, world.stream.descriptors());
      assertEquals(ProxyPhase.GATHERING, world.stream.phase());
    }
  }

  @Test
  void shouldPassAnOperationWhenEveryRingHasArrived() {
    try (SelfWorld world = new SelfWorld()) {
      assertTrue(world.producer(0).beginArrive(1, 1));
      world.producer(0).finish();
      world.stepUntilIdle();
      assertEquals(0, world.stream.passed(1));
      assertFalse(world.engine.isIdle());
      assertTrue(world.producer(1).beginArrive(1, 1));
      world.producer(1).finish();
      world.stepUntilIdle();
      assertEquals(1, world.stream.passed(1));
      assertEquals(0, world.stream.passed(0));
      assertTrue(world.engine.isIdle());
      long at = jgin_proxy_word.sizeof() + jgin_proxy_word.epoch$offset();
      assertEquals(1, world.words.get(ValueLayout.JAVA_LONG, at));
    }
  }

  /** What comes behind an ARRIVE is of the next operation, and stays in the ring until then. */
  @Test
  void shouldHoldARingThatHasArrived() {
    try (SelfWorld world = new SelfWorld()) {
      RingProducer producer = world.producer(0);
      assertTrue(producer.beginArrive(0, 1));
      producer.finish();
      assertTrue(producer.beginPutValue(RECEIVE, 0, 9, 2));
      producer.finish();
      world.stepUntilIdle();
      assertEquals(1, world.consumed(0));
      assertTrue(world.producer(1).beginArrive(0, 1));
      world.producer(1).finish();
      world.stepUntilIdle();
      assertEquals(1, world.stream.passed(0));
      assertEquals(2, world.consumed(0));
      assertEquals(9, world.receive.local().get(ValueLayout.JAVA_LONG, 0));
    }
  }

  @Test
  void shouldBeginBehindTheEpochsOfItsBarriers() {
    try (SelfWorld world = new SelfWorld()) {
      assertEquals(0, world.stream.passed(0));
      assertTrue(world.stream.error(0).isEmpty());
      for (long epoch = 1; epoch <= 5; epoch++) {
        world.pass(0, epoch);
      }
      world.pass(1, 1);
    }
  }

  @Test
  void shouldRefuseWhatCannotBeServed() {
    try (SelfWorld world = new SelfWorld();
        Arena arena = Arena.ofShared()) {
      assertThrows(IllegalArgumentException.class, () -> register(world, List.of()));
      RingMemory twice = RingMemory.allocate(0, 0, 2, arena);
      assertThrows(IllegalArgumentException.class, () -> register(world, List.of(twice, twice)));
      for (RingMemory ring :
          List.of(
              RingMemory.allocate(2, 0, 2, arena),
              RingMemory.allocate(-1, 0, 2, arena),
              RingMemory.allocate(0, 1, 2, arena))) {
        var thrown =
            assertThrows(IllegalArgumentException.class, () -> register(world, List.of(ring)));
        assertTrue(thrown.getMessage().contains("2 contexts and 1 ranks"), thrown::getMessage);
      }
      ProxyWindows windows = ProxyWindows.none();
      assertThrows(IllegalArgumentException.class, () -> windows.with(SIGNALS, world.send));
      assertThrows(IllegalArgumentException.class, () -> windows.with(-1, world.send));
      assertThrows(IllegalArgumentException.class, () -> windows.withSignals(world.send.region()));
      assertThrows(IllegalArgumentException.class, () -> new ProxyOptions(0, 1));
      assertThrows(IllegalArgumentException.class, () -> new ProxyOptions(1, 0));
    }
  }

  private static void register(SelfWorld world, List<RingMemory> rings) {
    var barriers = world.comm;
    world.engine.register(
        new ProxyStreamSpec(
            6,
            world.windows(),
            barriers.barrier("a", barriers.world(), SelfWorld.FAN_IN),
            barriers.barrier("b", barriers.world(), SelfWorld.FAN_IN),
            rings,
            world.words));
  }
}
