// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.perf.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jgin.gin.WaitStrategy;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class TogetherTest {
  @Test
  void shouldRunEachRankOnAThreadOfItsOwn() {
    AtomicInteger there = new AtomicInteger();
    Together together = new Together(WaitStrategy.backoff());
    // Ends only if all run at the same time.
    together.run(
        3,
        _ -> {
          there.incrementAndGet();
          for (int round = 0; there.get() < 3; round++) {
            together.idle(round);
          }
        });
    assertEquals(3, there.get());
  }

  @Test
  void shouldEndTheWaitsOfAllWhenOneFails() {
    Together together = new Together(WaitStrategy.backoff());
    for (Throwable failure : new Throwable[] {new IllegalStateException("gone"), new Error("x")}) {
      Together fresh = new Together(WaitStrategy.backoff());
      Throwable thrown =
          assertThrows(
              failure.getClass(),
              () ->
                  fresh.run(
                      3,
                      rank -> {
                        if (rank == 1) {
                          raise(failure);
                        }
                        for (int round = 0; ; round++) {
                          fresh.idle(round);
                        }
                      }));
      assertSame(failure, thrown);
      StoppedException stopped = assertThrows(StoppedException.class, () -> fresh.idle(0));
      assertTrue(stopped.getMessage().contains("another rank failed: " + failure.getMessage()));
    }
    together.idle(0);
  }

  private static void raise(Throwable failure) {
    switch (failure) {
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      default -> throw new AssertionError(failure);
    }
  }
}
