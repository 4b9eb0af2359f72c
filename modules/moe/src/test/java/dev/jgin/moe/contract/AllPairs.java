// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.contract;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A small table of choices in which each value of each factor meets each value of every other
 * factor at least once. Greedy over random candidates: the same seed gives the same table.
 */
public final class AllPairs {
  private static final int CANDIDATES = 40;

  private final int[] levels;
  private final int[] first;
  private final int values;
  private final BitSet open = new BitSet();

  private AllPairs(int[] levels) {
    this.levels = levels.clone();
    this.first = new int[levels.length];
    int sum = 0;
    for (int f = 0; f < levels.length; f++) {
      first[f] = sum;
      sum += levels[f];
    }
    this.values = sum;
    for (int f = 0; f < levels.length; f++) {
      for (int g = f + 1; g < levels.length; g++) {
        for (int v = 0; v < levels[f]; v++) {
          for (int w = 0; w < levels[g]; w++) {
            open.set(pair(f, v, g, w));
          }
        }
      }
    }
  }

  /** Rows of chosen values: row {@code i}, factor {@code f} is below {@code levels[f]}. */
  public static List<int[]> table(long seed, int... levels) {
    AllPairs pairs = new AllPairs(levels);
    SplittableRandom random = new SplittableRandom(seed);
    List<int[]> rows = new ArrayList<>();
    while (!pairs.open.isEmpty()) {
      int[] best = pairs.candidate(random);
      for (int i = 1; i < CANDIDATES; i++) {
        int[] other = pairs.candidate(random);
        best = pairs.gain(other) > pairs.gain(best) ? other : best;
      }
      pairs.close(best);
      rows.add(best);
    }
    return rows;
  }

  /** A random row with one pair that is still open, so that every row is worth something. */
  private int[] candidate(SplittableRandom random) {
    int[] row = new int[levels.length];
    for (int f = 0; f < row.length; f++) {
      row[f] = random.nextInt(levels[f]);
    }
    int wanted = open.nextSetBit(random.nextInt(values * values));
    wanted = wanted < 0 ? open.nextSetBit(0) : wanted;
    set(row, wanted / values);
    set(row, wanted % values);
    return row;
  }

  private void set(int[] row, int value) {
    int f = row.length - 1;
    while (first[f] > value) {
      f--;
    }
    row[f] = value - first[f];
  }

  private int gain(int[] row) {
    int gain = 0;
    for (int f = 0; f < row.length; f++) {
      for (int g = f + 1; g < row.length; g++) {
        gain += open.get(pair(f, row[f], g, row[g])) ? 1 : 0;
      }
    }
    return gain;
  }

  private void close(int[] row) {
    for (int f = 0; f < row.length; f++) {
      for (int g = f + 1; g < row.length; g++) {
        open.clear(pair(f, row[f], g, row[g]));
      }
    }
  }

  private int pair(int f, int v, int g, int w) {
    return (first[f] + v) * values + first[g] + w;
  }
}
