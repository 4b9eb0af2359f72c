// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.perf.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class BandwidthTest {
  @Test
  void shouldCountFromTheFirstPostingToTheLastCompletion() {
    long[] posted = {100, 200, 300, 400};
    long[] completed = {1_000, 1_100, 1_200, 2_100};
    Bandwidth b = Bandwidth.of(500, posted, completed);
    assertEquals(4 / 2_000e-9, b.messages(), 1e-3);
    assertEquals(500 * 4 / 2_000e-9, b.average(), 1e-3);
    // The first three in 1100 ns.
    assertEquals(500 * 3 / 1_100e-9, b.peak(), 1e-3);
  }

  @Test
  void shouldHaveNoPeakWithoutTimes() {
    Bandwidth b = Bandwidth.averageOf(1 << 20, 10, 1_000_000_000);
    assertEquals(10, b.average() / Bandwidth.MB);
    assertTrue(Double.isNaN(b.peak()));
  }

  @RepeatedTest(50)
  void shouldFindTheStretchThatTryingAllPairsFinds(RepetitionInfo repetition) {
    Random random = new Random(repetition.getCurrentRepetition());
    int n = 1 + random.nextInt(200);
    long[] posted = new long[n];
    long[] completed = new long[n];
    long now = random.nextLong() >> 8;
    for (int i = 0; i < n; i++) {
      posted[i] = now += random.nextInt(50);
      completed[i] = Math.max(i == 0 ? 0 : completed[i - 1], now + 1 + random.nextInt(400));
      if (i == 0) {
        completed[i] = now + 1 + random.nextInt(400);
      }
    }
    double best = 0;
    for (int i = 0; i < n; i++) {
      for (int j = i; j < n; j++) {
        best = Math.max(best, (j - i + 1) / (double) Math.max(1, completed[j] - posted[i]));
      }
    }
    assertEquals(best, Bandwidth.fastest(posted, completed), best * 1e-9);
  }
}
