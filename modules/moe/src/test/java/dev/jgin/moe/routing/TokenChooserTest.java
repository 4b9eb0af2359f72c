// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.routing;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.Comparator;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TokenChooserTest {
  @Test
  void shouldFindTheLargestLikeAStableSort() {
    SplittableRandom random = new SplittableRandom(14);
    for (int repeat = 0; repeat < 2_000; repeat++) {
      int n = random.nextInt(1, 40);
      int count = random.nextInt(1, n + 1);
      // Few different values, so that ties are common.
      double[] scores = random.doubles(n).map(d -> Math.floor(d * 6)).toArray();
      int[] expected =
          IntStream.range(0, n)
              .boxed()
              .sorted(Comparator.comparingDouble(i -> -scores[i]))
              .mapToInt(Integer::intValue)
              .limit(count)
              .toArray();
      int[] best = new int[count];
      TokenChooser.largest(scores, count, best);
      assertArrayEquals(expected, best);
    }
  }
}
