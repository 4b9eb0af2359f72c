// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.jgin.gin.spi.RankTask;
import dev.jgin.gin.spi.RankTask.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkerSchedulerTest {

  /**
   * Each rank waits for the one before it: with fewer workers than ranks none may block the rest.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 16})
  void shouldStepEveryRankUntilItIsDone(int workers) {
    AtomicInteger turn = new AtomicInteger();
    List<RankTask> tasks = new ArrayList<>();
    for (int r = 7; r >= 0; r--) {
      int mine = r;
      tasks.add(() -> {
        if (turn.get() != mine) {
          return Step.WAITING;
        }
        turn.incrementAndGet();
        return Step.DONE;
      });
    }
    new WorkerScheduler(workers, WaitStrategy.backoff()).run(tasks);
    assertEquals(8, turn.get());
  }

  @Test
  void shouldEndTheOthersWhenOneFails() {
    for (Throwable thrown : List.of(new IllegalStateException("x"), new AssertionError("y"))) {
      List<RankTask> tasks = new ArrayList<>();
      for (int r = 0; r < 5; r++) {
        boolean fails = r == 3;
        tasks.add(() -> {
          if (fails && thrown instanceof Error e) {
            throw e;
          }
          if (fails) {
            throw (RuntimeException) thrown;
          }
          return Step.WAITING;
        });
      }
      WorkerScheduler scheduler = new WorkerScheduler(2, WaitStrategy.backoff());
      assertSame(thrown, assertThrows(Throwable.class, () -> scheduler.run(tasks)));
    }
  }

  @Test
  void shouldRefuseToRunWithoutWorkers() {
    assertThrows(IllegalArgumentException.class, () -> new WorkerScheduler(0, WaitStrategy.spin()));
  }
}
