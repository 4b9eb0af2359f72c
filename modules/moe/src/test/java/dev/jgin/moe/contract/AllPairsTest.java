// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AllPairsTest {
  @Test
  void shouldCoverEveryPairInFewRows() {
    int[] levels = {4, 3, 7, 2, 2};
    List<int[]> rows = AllPairs.table(3, levels);
    Set<List<Integer>> pairs = new HashSet<>();
    int expected = 0;
    for (int f = 0; f < levels.length; f++) {
      for (int g = f + 1; g < levels.length; g++) {
        expected += levels[f] * levels[g];
        for (int[] row : rows) {
          pairs.add(List.of(f, row[f], g, row[g]));
        }
      }
    }
    assertEquals(expected, pairs.size());
    assertTrue(rows.size() < 40, () -> rows.size() + " rows");
  }
}
