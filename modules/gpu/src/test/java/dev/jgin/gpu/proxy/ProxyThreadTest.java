// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gpu.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jgin.bindings.abi.abi_h;
import dev.jgin.gin.BarrierProtocol;
import dev.jgin.gin.WaitStrategy;
import dev.jgin.gpu.proxy.ProxyWorld.Setting;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Proxies on a thread of their own, the twins of the kernels on the test's. */
class ProxyThreadTest {
  private static final long PATIENCE_NANOS = 60_000_000_000L;

  /**
   * Asked as in a later round, it lets other threads run: there may be fewer cores than threads.
   */
  private static final WaitStrategy YIELDING = WaitStrategy.backoff();

  private static ProxyThread start(List<ProxyEngine> engines) {
    return ProxyThread.start("proxy", engines, WaitStrategy.backoff(), OptionalInt.empty());
  }

  private static void await(String what, BooleanSupplier condition) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() - start < PATIENCE_NANOS, "still waiting for " + what);
      YIELDING.idle(100);
    }
  }

  @ParameterizedTest
  @EnumSource(BarrierProtocol.class)
  void shouldServeTheKernelsOfSeveralRanks(BarrierProtocol protocol) {
    Setting setting = Setting.of("emulated:granule=64", protocol, 1).rings(4, 100);
    try (ProxyWorld world = new ProxyWorld(setting);
        ProxyThread thread = start(world.engines())) {
      await(
          "the last epoch",
          () -> {
            world.twins.forEach(GpuTwin::step);
            return world.isDone();
          });
      assertEquals(0, world.stale());
      assertTrue(thread.isAlive());
      assertTrue(thread.failure().isEmpty());
      for (GpuTwin twin : world.twins) {
        twin.stream.requireUsable();
        assertEquals(100, twin.stream.passed(1));
        assertTrue(twin.stream.descriptors() > 0);
      }
    }
  }

  @Test
  void shouldTellKernelsWhenItIsClosed() {
    try (SelfWorld world = new SelfWorld()) {
      ProxyThread thread = start(List.of(world.engine));
      assertTrue(world.producer(0).beginArrive(0, 1));
      world.producer(0).finish();
      await("the first ring", () -> world.stream.descriptors() == 1);
      thread.close();
      thread.close();
      assertFalse(thread.isAlive());
      assertTrue(thread.failure().isEmpty());
      assertEquals(abi_h.JGIN_ERROR_ABORTED(), world.stream.error(0).orElseThrow().code());
    }
  }

  @Test
  void shouldGoOnWhenAStreamFails() {
    try (SelfWorld bad = new SelfWorld();
        SelfWorld good = new SelfWorld();
        ProxyThread thread = start(List.of(bad.engine, good.engine))) {
      assertTrue(bad.producer(0).begin(0, 0, 0, 0, 0, 0, 1));
      bad.producer(0).finish();
      await("the failure", () -> bad.stream.failure().isPresent());
      for (int ring = 0; ring < 2; ring++) {
        assertTrue(good.producer(ring).beginArrive(0, 1));
        good.producer(ring).finish();
      }
      await("the good stream", () -> good.stream.passed(0) == 1);
      assertTrue(thread.isAlive());
    }
  }

  @Test
  void shouldShowWhatEndedIt() {
    SelfWorld gone = new SelfWorld();
    try (SelfWorld other = new SelfWorld()) {
      WaitStrategy failing =
          round -> {
            throw new IllegalStateException("a wait strategy that fails");
          };
      try (ProxyThread thread =
          ProxyThread.start(
              "proxy", List.of(gone.engine, other.engine), failing, OptionalInt.empty())) {
        await("the end of the thread", () -> !thread.isAlive());
        assertEquals("a wait strategy that fails", thread.failure().orElseThrow().getMessage());
        assertEquals(abi_h.JGIN_ERROR_ABORTED(), other.stream.error(0).orElseThrow().code());
        assertThrows(IllegalStateException.class, gone.stream::requireUsable);
      }
    } finally {
      gone.close();
    }
  }

  /** A hint: where the system refuses, the thread runs all the same. */
  @Test
  void shouldStayOnAProcessorIfItMay() {
    try (SelfWorld world = new SelfWorld();
        ProxyThread thread =
            ProxyThread.start(
                "proxy",
                List.of(world.engine),
                WaitStrategy.backoff(),
                OptionalInt.of(1_000_000))) {
      for (int ring = 0; ring < 2; ring++) {
        assertTrue(world.producer(ring).beginArrive(0, 1));
        world.producer(ring).finish();
      }
      await("the operation", () -> world.stream.passed(0) == 1);
      assertFalse(thread.isBound(), "there is no such processor");
    }
  }

  @Test
  void shouldRefuseToStepNothing() {
    assertThrows(IllegalArgumentException.class, () -> start(List.of()));
  }
}
