// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.moe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jgin.moe.routing.Routing;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BatchesTest {
  /** Token {@code t} names experts {@code t mod 7} and {@code 7}. */
  private static Routing pool(int tokens) {
    int[] ids = new int[2 * tokens];
    for (int t = 0; t < tokens; t++) {
      ids[2 * t] = t % 7;
      ids[2 * t + 1] = 7;
    }
    return Routing.of(8, 2, ids, new float[ids.length]);
  }

  private static List<Integer> firstIds(Routing routing) {
    return IntStream.range(0, routing.tokens()).mapToObj(t -> routing.id(t, 0)).toList();
  }

  @Test
  void shouldUseEachTokenOnceInOrder() {
    Routing pool = pool(23);
    Batches batches = Batches.once(pool, 3, 3, 2);
    assertEquals(3, batches.iterations());
    assertEquals(23, batches.tokens());
    List<Integer> seen = new ArrayList<>();
    for (int i = 2; i < batches.count(); i++) {
      seen.addAll(firstIds(batches.batch(i)));
    }
    assertEquals(firstIds(pool), seen);
    assertEquals(5, batches.batch(4).tokens());
  }

  @Test
  void shouldSplitAsRoutingsAreSplit() {
    Batches batches = Batches.once(pool(23), 3, 3, 0);
    List<Routing> parts = Routing.split(batches.batch(2), 3);
    for (int rank = 0; rank < 3; rank++) {
      assertEquals(firstIds(parts.get(rank)), firstIds(batches.batch(2, rank)));
    }
  }

  @Test
  void shouldReadRoundAndRound() {
    Batches batches = Batches.around(pool(5), 2, 2, 0, 3);
    assertEquals(List.of(0, 1, 2, 3), firstIds(batches.batch(0)));
    assertEquals(List.of(4, 0, 1, 2), firstIds(batches.batch(1)));
    assertEquals(12, batches.tokens());
  }

  @Test
  void shouldWarmUpOnTheFirstTokensWithoutCountingThem() {
    Batches batches = Batches.around(pool(40), 2, 2, 1, 2);
    assertEquals(firstIds(batches.batch(0)), firstIds(batches.batch(1)));
    assertEquals(8, batches.loads()[7]);
  }

  @Test
  void shouldCountExpertRowsWithPadding() {
    // 2 ranks own experts 0..3 and 4..7; of 8 tokens, 8 lanes go to expert 7 and 3 to 4, 5 and 6.
    Batches batches = Batches.around(pool(8), 2, 4, 0, 1);
    assertEquals(11, batches.maxExpertRows(1));
    assertEquals(3 * 4 + 8, batches.maxExpertRows(4));
  }

  @Test
  void shouldHoldRanksAtAGateUntilAllHaveCome() {
    Gate gate = new Gate(2, true);
    gate.arrive();
    assertFalse(gate.open(1));
    gate.arrive();
    assertTrue(gate.open(1));
    assertFalse(gate.open(2));
    assertTrue(new Gate(2, false).open(1));
  }

  @Test
  void shouldGiveStreamsAndNeighbouringEpochsDifferentPayload() {
    assertEquals(0L, Expectations.payloadEpoch(0, 2));
    assertEquals(1L << 32, Expectations.payloadEpoch(1, 2));
    assertEquals(1L, Expectations.payloadEpoch(2, 2));
  }

  @Test
  void shouldCutUnevenlyWithinTheLimits() {
    Batches batches = Batches.around(pool(48), 4, 3, 1, 9).uneven(7);
    long tokens = 0;
    for (int i = 0; i < batches.count(); i++) {
      int none = 0;
      int most = 0;
      int sum = 0;
      for (int rank = 0; rank < 4; rank++) {
        int count = batches.batch(i, rank).tokens();
        none += count == 0 ? 1 : 0;
        most += count == 3 ? 1 : 0;
        sum += count;
      }
      assertTrue(none >= 1 && most >= 1, "iteration " + i);
      assertEquals(sum, batches.batch(i).tokens(), "iteration " + i);
      tokens += i < batches.warmup() ? 0 : sum;
    }
    assertEquals(tokens, batches.tokens());
  }

  @Test
  void shouldNotLeaveTokensOutOfALogThatIsUsedOnce() {
    Batches once = Batches.once(pool(8), 2, 2, 0);
    assertThrows(IllegalArgumentException.class, () -> once.uneven(1));
  }
}
