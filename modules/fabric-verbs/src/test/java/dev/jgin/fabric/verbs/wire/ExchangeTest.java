// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.verbs.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jgin.gin.DeadlineException;
import dev.jgin.gin.InProcessBootstrap;
import dev.jgin.gin.spi.Bootstrap;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class ExchangeTest {

  private static Exchange exchange(List<Bootstrap> world, int rank) {
    return new Exchange(world.get(rank), 60_000_000_000L);
  }

  @Test
  void shouldEndEveryRankWhenOneFailsAndSayWhy() throws InterruptedException, ExecutionException {
    List<Bootstrap> world = InProcessBootstrap.world(2);
    try (ExecutorService threads = Executors.newFixedThreadPool(1)) {
      Future<List<byte[]>> good =
          threads.submit(() -> exchange(world, 0).step("step", () -> new byte[] {1}));
      RuntimeException own =
          assertThrows(
              IllegalArgumentException.class,
              () ->
                  exchange(world, 1)
                      .step(
                          "step",
                          () -> {
                            throw new IllegalArgumentException("no such device");
                          }));
      assertEquals("no such device", own.getMessage());
      Throwable other = assertThrows(ExecutionException.class, good::get).getCause();
      assertTrue(other.getMessage().contains("rank 1 failed: no such device"), other.getMessage());
    }
  }

  @Test
  void shouldNameTheRankThatDoesNotComeTheDeadlineAndTheRemedy() {
    Exchange exchange = new Exchange(InProcessBootstrap.world(3).get(1), 1_000_000L);
    String why =
        assertThrows(DeadlineException.class, () -> exchange.step("step", () -> new byte[0]))
            .getMessage();
    assertTrue(why.contains("rank 1: deadline of 1 ms passed"), why);
    assertTrue(why.contains("ranks [0, 2] did not come"), why);
    assertTrue(why.contains("connect=SECONDS"), why);
  }

  @Test
  void shouldGiveValuesByRank() {
    List<Bootstrap> alone = InProcessBootstrap.world(1);
    List<byte[]> values = exchange(alone, 0).step("step", () -> new byte[] {5, 6});
    assertEquals(6, values.getFirst()[1]);
  }
}
