// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gpu.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jgin.bindings.abi.abi_h;
import java.lang.foreign.Arena;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whoever waits for the carrier gets on although others have something to do in every step. */
class FairnessTest {
  private static final int SIGNALS = abi_h.JGIN_WINDOW_SIGNALS();
  private static final int MOST_STEPS = 20_000;

  /** One more descriptor, so that the next step finds something. */
  private static void feed(RingProducer busy) {
    if (busy.beginSignal(SIGNALS, 0, 1, 1)) {
      busy.finish();
    }
  }

  /** The plain carrier delivers by itself, as hardware does, but completions must be reaped. */
  @ParameterizedTest
  @ValueSource(strings = {"emulated", "emulated:adversarial"})
  void shouldPassAnOperationBesideABusyStream(String fabric) {
    try (SelfWorld world = new SelfWorld(fabric, ProxyOptions.defaults());
        Arena arena = Arena.ofShared()) {
      RingMemory ring = RingMemory.allocate(0, 0, 4, arena);
      ProxyStream other =
          world.engine.register(
              new ProxyStreamSpec(
                  6,
                  world.windows(),
                  world.comm.barrier("a", world.comm.world(), SelfWorld.FAN_IN),
                  world.comm.barrier("b", world.comm.world(), SelfWorld.FAN_IN),
                  List.of(ring),
                  arena.allocate(ProxyWords.BYTES, 8)));
      RingProducer busy = new RingProducer(ring, 1);
      for (int r = 0; r < 2; r++) {
        assertTrue(world.producer(r).beginSignal(SIGNALS, 8, 1, 1));
        world.producer(r).finish();
        assertTrue(world.producer(r).beginArrive(0, 1));
        world.producer(r).finish();
      }
      for (int steps = 0; world.stream.passed(0) == 0; steps++) {
        assertTrue(steps < MOST_STEPS, "starved, " + world.stream.phase());
        feed(busy);
        world.engine.step();
      }
      other.requireUsable();
    }
  }

  @Test
  void shouldFlushARingBesideABusyOne() {
    try (SelfWorld world = new SelfWorld("emulated:adversarial", ProxyOptions.defaults())) {
      RingProducer flushing = world.producer(1);
      assertTrue(flushing.beginSignal(SIGNALS, 8, 1, 1));
      flushing.finish();
      assertTrue(flushing.beginFlush(1));
      flushing.finish();
      for (int steps = 0; world.consumed(1) < 2; steps++) {
        assertTrue(steps < MOST_STEPS, "starved at " + world.consumed(1));
        feed(world.producer(0));
        world.engine.step();
      }
      world.stream.requireUsable();
      assertEquals(ProxyPhase.GATHERING, world.stream.phase());
    }
  }

  /** A flush holds its ring back until the carrier has completed what is in front of it. */
  @Test
  void shouldNotPassAFlushBeforeItsLaneIsComplete() {
    try (SelfWorld world = new SelfWorld("emulated:adversarial", ProxyOptions.defaults())) {
      RingProducer flushing = world.producer(1);
      assertTrue(flushing.beginSignal(SIGNALS, 8, 1, 1));
      flushing.finish();
      assertTrue(flushing.beginFlush(1));
      flushing.finish();
      int held = 0;
      for (int steps = 0; world.consumed(1) < 2; steps++) {
        assertTrue(steps < MOST_STEPS, "starved at " + world.consumed(1));
        held += world.consumed(1) == 1 ? 1 : 0;
        world.engine.step();
        boolean complete = world.comm.fabric().completed(1, 0) == 1;
        assertTrue(complete || world.consumed(1) < 2, "passed before it was complete");
      }
      assertTrue(held > 0, "nothing was ever held back");
    }
  }
}
