// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jgin.gin.Communicator;
import dev.jgin.gin.DeadlineException;
import dev.jgin.gin.LaneFailedException;
import dev.jgin.moe.EpConfigBuilder;
import dev.jgin.moe.Phase;
import dev.jgin.moe.StreamInspector;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.opentest4j.AssertionFailedError;

/**
 * A wait ends when a peer does not come and when a lane fails; without its check it does not. Time
 * is virtual: it moves as the waiting rank looks around.
 */
class WaitChecksTest {
  private static final long TIMEOUT_NANOS = 30_000_000L;

  /** How long a wait without a deadline is watched before it is called endless. */
  private static final long PATIENCE_NANOS = 5 * TIMEOUT_NANOS;

  @Test
  void shouldNameThePeerThatNeverComes() {
    guardDeadline(UnaryOperator.identity());
  }

  @Test
  void shouldGoRedWithoutTheDeadline() {
    assertThrows(
        AssertionFailedError.class, () -> guardDeadline(config -> config.without(Check.DEADLINE)));
  }

  @Test
  void shouldNameTheLaneThatFailed() {
    guardLane(UnaryOperator.identity());
  }

  @Test
  void shouldGoRedWithoutLookingAtLanes() {
    assertThrows(
        AssertionFailedError.class, () -> guardLane(config -> config.without(Check.LANE_ERROR)));
  }

  @Test
  void shouldTakeNoMoreWorkAfterADeadline() {
    try (Scene scene = new Scene(config -> config.timeoutNanos(TIMEOUT_NANOS)).warmUp()) {
      scene.begin(Scene.EPOCH);
      assertThrows(DeadlineException.class, () -> withoutThePeer(scene));
      IllegalStateException refused =
          assertThrows(
              IllegalStateException.class, () -> scene.engine(Scene.VICTIM).stepDispatch(0));
      assertTrue(refused.getMessage().contains("deadline"), refused.getMessage());
    }
  }

  private static void guardDeadline(UnaryOperator<EpConfigBuilder> settings) {
    try (Scene scene =
        new Scene(config -> settings.apply(config.timeoutNanos(TIMEOUT_NANOS))).warmUp()) {
      scene.begin(Scene.EPOCH);
      DeadlineException thrown = assertThrows(DeadlineException.class, () -> withoutThePeer(scene));
      String message = thrown.getMessage();
      assertTrue(message.startsWith("rank " + Scene.VICTIM + ":"), message);
      assertTrue(message.contains("dispatch, stream 0"), message);
      assertTrue(message.contains("epoch " + Scene.EPOCH), message);
      assertTrue(message.contains("member " + Scene.PEER), message);
      assertTrue(!message.contains("member 0"), message);
    }
  }

  private static void guardLane(UnaryOperator<EpConfigBuilder> settings) {
    try (Scene scene =
        new Scene(config -> settings.apply(config.timeoutNanos(TIMEOUT_NANOS))).warmUp()) {
      scene.begin(Scene.EPOCH);
      Communicator victim = scene.world().communicator(Scene.VICTIM);
      victim.fabric().laneControl().fence(1, Scene.PEER);
      Throwable thrown = assertThrows(Throwable.class, () -> withoutThePeer(scene));
      assertEquals(LaneFailedException.class, thrown.getClass());
      LaneFailedException failed = (LaneFailedException) thrown;
      assertEquals(Scene.VICTIM, failed.rank());
      assertEquals(Scene.PEER, failed.peer());
      assertEquals(1, failed.context());
    }
  }

  /** All ranks but one come to the barrier; then the victim waits there for a bounded time. */
  private static void withoutThePeer(Scene scene) {
    StreamInspector first = scene.engine(0).stream(0).inspector();
    while (first.dispatchPhase() != Phase.WAITING) {
      scene.engine(0).stepDispatch(0);
    }
    Communicator victim = scene.world().communicator(Scene.VICTIM);
    long start = victim.nowNanos();
    while (victim.nowNanos() - start < PATIENCE_NANOS) {
      scene.engine(Scene.VICTIM).stepDispatch(0);
    }
  }
}
