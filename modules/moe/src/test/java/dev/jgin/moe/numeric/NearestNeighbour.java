// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.numeric;

import java.util.TreeMap;
import java.util.function.IntToDoubleFunction;

/**
 * Rounding as its definition says it, without a trick: of all finite values of a format, the
 * nearest one, and of two equally near ones the one with the even pattern. The differences are
 * taken in double, where those of the formats under test are exact.
 */
final class NearestNeighbour {
  private final TreeMap<Double, Integer> patterns = new TreeMap<>();

  /** The format whose non-negative finite patterns are {@code [0, finite)}, valued in order. */
  NearestNeighbour(int finite, IntToDoubleFunction value) {
    for (int pattern = 0; pattern < finite; pattern++) {
      patterns.put(value.applyAsDouble(pattern), pattern);
    }
  }

  /** The pattern nearest to a non-negative finite value that does not exceed the largest one. */
  int round(double value) {
    var below = patterns.floorEntry(value);
    var above = patterns.ceilingEntry(value);
    double down = value - below.getKey();
    double up = above.getKey() - value;
    if (down != up) {
      return down < up ? below.getValue() : above.getValue();
    }
    return below.getValue() % 2 == 0 ? below.getValue() : above.getValue();
  }
}
