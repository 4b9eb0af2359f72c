// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.verbs.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jgin.gin.InProcessBootstrap;
import dev.jgin.gin.spi.Bootstrap;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class ExchangeTest {

  @Test
  void shouldEndEveryRankWhenOneFailsAndSayWhy() throws InterruptedException, ExecutionException {
    List<Bootstrap> world = InProcessBootstrap.world(2);
    try (ExecutorService threads = Executors.newFixedThreadPool(1)) {
      Future<List<byte[]>> good =
          threads.submit(() -> Exchange.step(world.get(0), "step", () -> new byte[] {1}));
      RuntimeException own =
          assertThrows(
              IllegalArgumentException.class,
              () ->
                  Exchange.step(
                      world.get(1),
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
  void shouldGiveValuesByRank() {
    List<Bootstrap> alone = InProcessBootstrap.world(1);
    List<byte[]> values = Exchange.step(alone.getFirst(), "step", () -> new byte[] {5, 6});
    assertEquals(6, values.getFirst()[1]);
  }
}
