// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.perf.report;

import java.util.Arrays;

/**
 * Figures of a latency test in nanoseconds, by perftest's rules, so that the two can be compared.
 *
 * <p>n rounds have n − 1 intervals, from one beginning to the next. Of these the two longest count
 * as disturbances of the machine: mean, deviation and median leave them out, percentiles are taken
 * at the places of the others, and the maximum is the second longest. One rule is not perftest's:
 * the deviation is that of the population, and is not rounded to whole microseconds on the way.
 *
 * @param min the shortest
 * @param max the second longest
 * @param typical the median, between two values their mean
 * @param avg the arithmetic mean
 * @param stdev the standard deviation
 * @param p99 the value that 99 % do not exceed
 * @param p999 the value that 99.9 % do not exceed
 */
public record Latency(
    double min, double max, double typical, double avg, double stdev, double p99, double p999) {

  /** The longest intervals that are left out. */
  public static final int TAIL = 2;

  /** Least number of intervals. */
  public static final int LEAST = TAIL + 1;

  /**
   * The figures of {@code nanos}, in any order, each divided by {@code parts}: 2 where an interval
   * is a round trip and the latency half of it.
   *
   * @throws IllegalArgumentException for fewer than {@value #LEAST} intervals
   */
  public static Latency of(long[] nanos, int parts) {
    if (nanos.length < LEAST) {
      throw new IllegalArgumentException(
          nanos.length + " intervals: at least " + LEAST + " are needed; run more iterations");
    }
    long[] sorted = nanos.clone();
    Arrays.sort(sorted);
    int n = sorted.length - TAIL;
    double sum = 0;
    for (int i = 0; i < n; i++) {
      sum += sorted[i];
    }
    double avg = sum / n;
    double squares = 0;
    for (int i = 0; i < n; i++) {
      squares += (sorted[i] - avg) * (sorted[i] - avg);
    }
    double median = n % 2 == 1 ? sorted[n / 2] : (sorted[n / 2] + sorted[n / 2 - 1]) / 2.0;
    return new Latency(
        (double) sorted[0] / parts,
        (double) sorted[n] / parts,
        median / parts,
        avg / parts,
        Math.sqrt(squares / n) / parts,
        (double) sorted[at(n, 990)] / parts,
        (double) sorted[at(n, 999)] / parts);
  }

  /** The place of a part of a thousand of {@code n}, rounded up. */
  private static int at(int n, int thousandths) {
    return (int) Math.ceilDiv((long) n * thousandths, 1000L);
  }
}
