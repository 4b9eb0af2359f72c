// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gin;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jgin.gin.spi.Bootstrap;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class InProcessBootstrapTest {

  private static final long LONG = 30_000_000_000L;

  @Test
  void shouldExchangeRoundAfterRound() throws Exception {
    int ranks = 5;
    try (ExecutorService threads = Executors.newFixedThreadPool(ranks)) {
      List<Future<?>> done = new ArrayList<>();
      for (Bootstrap bootstrap : InProcessBootstrap.world(ranks)) {
        done.add(
            threads.submit(() -> {
              for (byte round = 0; round < 100; round++) {
                byte[] mine = {(byte) bootstrap.rank(), round};
                List<byte[]> all = bootstrap.allGather("round " + round, mine, LONG);
                for (int r = 0; r < ranks; r++) {
                  assertArrayEquals(new byte[] {(byte) r, round}, all.get(r));
                }
              }
            }));
      }
      for (Future<?> f : done) {
        f.get();
      }
    }
  }

  @Test
  void shouldNameTheRanksThatDidNotCome() {
    Bootstrap first = InProcessBootstrap.world(3).getFirst();
    String why =
        assertThrows(DeadlineException.class, () -> first.allGather("hello", new byte[0], 1_000L))
            .getMessage();
    assertTrue(why.contains("hello") && why.contains("[1, 2]"), why);
  }

  @Test
  void shouldRefuseCollectiveCallsOutOfOrder() {
    List<Bootstrap> world = InProcessBootstrap.world(2);
    assertThrows(DeadlineException.class, () -> world.get(0).allGather("a", new byte[0], 1_000L));
    String why =
        assertThrows(
                IllegalArgumentException.class,
                () -> world.get(1).allGather("b", new byte[0], 1_000L))
            .getMessage();
    assertTrue(why.contains("'a'") && why.contains("'b'"), why);
  }

  @Test
  void shouldShareOneObjectPerKey() {
    List<Bootstrap> world = InProcessBootstrap.world(2);
    Object first = world.get(0).shared("x", Object.class, Object::new);
    assertSame(first, world.get(1).shared("x", Object.class, Object::new));
  }

  @Test
  void shouldRefuseWorldsOutOfRange() {
    assertThrows(IllegalArgumentException.class, () -> InProcessBootstrap.world(0));
    assertThrows(IllegalArgumentException.class, () -> InProcessBootstrap.world(1025));
    assertEquals(1024, InProcessBootstrap.world(1024).size());
  }
}
