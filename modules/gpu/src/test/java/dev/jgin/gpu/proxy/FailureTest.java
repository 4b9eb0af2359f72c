// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gpu.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jgin.bindings.abi.abi_h;
import dev.jgin.fabric.emulated.fault.Fault;
import dev.jgin.fabric.emulated.fault.FaultPlan;
import dev.jgin.gin.BarrierProtocol;
import dev.jgin.gin.DeadlineException;
import dev.jgin.gin.LaneFailedException;
import dev.jgin.gin.spi.LaneStatus;
import dev.jgin.gpu.proxy.ProxyWorld.Setting;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What goes wrong ends in an error word and an exception, at every rank, in virtual time. */
class FailureTest {
  private static Setting setting() {
    return Setting.of("emulated:adversarial", BarrierProtocol.FAN_IN_ALL_CONTEXTS, 3);
  }

  private static long passed(GpuTwin twin) {
    return twin.stream.passed(0) + twin.stream.passed(1);
  }

  private static ErrorWord error(GpuTwin twin) {
    ErrorWord word = twin.stream.error(0).orElseThrow();
    ErrorWord other = twin.stream.error(1).orElseThrow();
    assertEquals(abi_h.JGIN_KERNEL_DISPATCH_EPILOGUE(), word.kernel());
    assertEquals(abi_h.JGIN_KERNEL_COMBINE_REDUCE(), other.kernel());
    assertEquals(word.code(), other.code());
    return word;
  }

  @Test
  void shouldTellEveryRankOfALaneThatFails() {
    Fault fault = new Fault.FailLane(0, 1, 2, 20, LaneStatus.RETRY_EXCEEDED);
    try (ProxyWorld world = new ProxyWorld(setting().faults(FaultPlan.of(fault)))) {
      world.run();
      GpuTwin failed = world.twins.getFirst();
      var why = assertInstanceOf(LaneFailedException.class, failed.stream.failure().orElseThrow());
      assertEquals(LaneStatus.RETRY_EXCEEDED, why.status());
      int kernel = abi_h.JGIN_KERNEL_DISPATCH_EPILOGUE();
      assertEquals(new ErrorWord(abi_h.JGIN_ERROR_PROXY(), kernel, 2, 1), error(failed));
      for (GpuTwin other : world.twins.subList(1, world.twins.size())) {
        assertInstanceOf(DeadlineException.class, other.stream.failure().orElseThrow());
        ErrorWord word = new ErrorWord(abi_h.JGIN_ERROR_DEADLINE(), kernel, -1, 0);
        assertEquals(word, error(other));
        assertEquals(word, ErrorWord.of(word.word()));
      }
      assertEquals(0, world.stale());
    }
  }

  @Test
  void shouldEndWaitsForARankThatNeverArrives() {
    try (ProxyWorld world = new ProxyWorld(setting())) {
      world.runWithout(3);
      for (GpuTwin waiting : world.twins.subList(0, 3)) {
        RuntimeException why = waiting.stream.failure().orElseThrow();
        assertInstanceOf(DeadlineException.class, why);
        assertTrue(why.getMessage().contains("member 3 context"), why::getMessage);
        assertEquals(abi_h.JGIN_ERROR_DEADLINE(), error(waiting).code());
        assertEquals(0, waiting.stream.passed(0));
      }
      assertTrue(world.twins.get(3).stream.failure().isEmpty(), "an idle stream has no deadline");
    }
  }

  /** The epoch in a proxy word also says that sources are reusable. */
  @Test
  void shouldNotPassWhilePutsAreIncomplete() {
    // Of a protocol that puts nothing on context 1 whose completion could stand in for the lost.
    Fault fault = new Fault.LoseCompletion(1, 1, 2, 0);
    Setting setting = Setting.of("emulated:adversarial", BarrierProtocol.ORDER_FREE, 3);
    try (ProxyWorld world = new ProxyWorld(setting.faults(FaultPlan.of(fault)))) {
      world.run();
      GpuTwin lost = world.twins.get(1);
      RuntimeException why = lost.stream.failure().orElseThrow();
      assertInstanceOf(DeadlineException.class, why);
      assertTrue(
          why.getMessage().endsWith("DRAINING: completions of puts: [context 1, peer 2: 1]"),
          why::getMessage);
      // The barrier of that operation was passed by all: the others have declared it.
      assertEquals(passed(world.twins.getFirst()), passed(lost) + 1);
    }
  }

  @Test
  void shouldEndTheWaitForARingThatNeverArrives() {
    ProxyOptions options = ProxyOptions.defaults().withTimeoutNanos(1_000_000);
    try (SelfWorld world = new SelfWorld("emulated:adversarial", options)) {
      RingProducer producer = world.producer(1);
      assertTrue(world.producer(0).beginArrive(0, 1));
      world.producer(0).finish();
      assertTrue(producer.beginFlush(1));
      producer.finish();
      assertTrue(producer.beginArrive(0, 1));
      for (int w = 1; w < Descriptor.WORDS; w++) {
        producer.writeWord();
      }
      for (int i = 0; i < 10_000 && world.stream.failure().isEmpty(); i++) {
        world.engine.step();
      }
      assertEquals(
          "rank 0: deadline of 1 ms passed: proxy of stream 5, GATHERING: ARRIVE of [ring (context"
              + " 1, peer 0) at descriptor 1]",
          world.stream.failure().orElseThrow().getMessage());
    }
  }

  @Test
  void shouldWaitForEverWhileIdle() {
    ProxyOptions options = ProxyOptions.defaults().withTimeoutNanos(1_000_000);
    try (SelfWorld world = new SelfWorld("emulated:adversarial", options)) {
      for (int i = 0; i < 10_000; i++) {
        world.engine.step();
      }
      world.pass(0, 1);
    }
  }

  @Test
  void shouldKeepStreamsApart() {
    try (SelfWorld world = new SelfWorld();
        Arena arena = Arena.ofShared()) {
      RingMemory ring = RingMemory.allocate(0, 0, 4, arena);
      MemorySegment words = arena.allocate(ProxyWords.BYTES, 8);
      ProxyStream other =
          world.engine.register(
              new ProxyStreamSpec(
                  6,
                  world.windows(),
                  world.comm.barrier("a", world.comm.world(), SelfWorld.FAN_IN),
                  world.comm.barrier("b", world.comm.world(), SelfWorld.FAN_IN),
                  List.of(ring),
                  words));
      assertTrue(world.producer(0).begin(0, 0, 0, 0, 0, 0, 1));
      world.producer(0).finish();
      world.stepUntilIdle();
      assertEquals(ProxyPhase.FAILED, world.stream.phase());
      RingProducer producer = new RingProducer(ring, 1);
      assertTrue(producer.beginArrive(0, 1));
      producer.finish();
      world.stepUntilIdle();
      assertEquals(1, other.passed(0));
      assertEquals(List.of(world.stream, other), world.engine.streams());
    }
  }

  @Test
  void shouldTellKernelsThatItWasAborted() {
    try (SelfWorld world = new SelfWorld()) {
      world.pass(0, 1);
      world.engine.abort("the engine is closed");
      assertEquals(abi_h.JGIN_ERROR_ABORTED(), world.stream.error(1).orElseThrow().code());
      assertEquals(1, world.stream.passed(0));
      assertEquals(
          "rank 0, stream 5: the proxy was told to end: the engine is closed",
          world.stream.failure().orElseThrow().getMessage());
      world.stepUntilIdle();
    }
  }
}
