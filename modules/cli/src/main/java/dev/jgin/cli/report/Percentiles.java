// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.report;

import java.util.Arrays;

/**
 * The spread of a set of times in nanoseconds. A percentile is a time that was measured, by nearest
 * rank: {@code p90} is the smallest one that at least 90 % of all do not exceed.
 *
 * @param count how many times; all other values are 0 if it is 0
 * @param mean the arithmetic mean
 */
public record Percentiles(long count, double mean, long p50, long p90, long p99, long max) {

  /** The spread of {@code nanos}, in any order. */
  public static Percentiles of(long[] nanos) {
    if (nanos.length == 0) {
      return new Percentiles(0, 0, 0, 0, 0, 0);
    }
    long[] sorted = nanos.clone();
    Arrays.sort(sorted);
    double sum = 0;
    for (long value : sorted) {
      sum += value;
    }
    return new Percentiles(
        sorted.length,
        sum / sorted.length,
        nearest(sorted, 50),
        nearest(sorted, 90),
        nearest(sorted, 99),
        sorted[sorted.length - 1]);
  }

  private static long nearest(long[] sorted, int percent) {
    long rank = Math.ceilDiv((long) percent * sorted.length, 100L);
    return sorted[(int) rank - 1];
  }
}
