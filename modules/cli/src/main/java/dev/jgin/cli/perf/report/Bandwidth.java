// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.perf.report;

/**
 * Figures of a throughput test.
 *
 * @param peak bytes per second of the fastest stretch of messages, from the posting of its first to
 *     the completion of its last; NaN if the times of single messages were not kept
 * @param average bytes per second from the first posting to the last completion
 * @param messages messages per second over the same time
 */
public record Bandwidth(double peak, double average, double messages) {
  /** Bytes of perftest's MB. */
  public static final double MB = 1 << 20;

  private static final double NANOS = 1e9;

  /**
   * The figures of a run that kept the times of every message.
   *
   * @param posted when each message was posted, ascending
   * @param completed when as many were complete, ascending
   */
  public static Bandwidth of(long bytes, long[] posted, long[] completed) {
    int n = completed.length;
    Bandwidth average = averageOf(bytes, n, completed[n - 1] - posted[0]);
    return new Bandwidth(
        bytes * NANOS * fastest(posted, completed), average.average, average.messages);
  }

  /** The figures of {@code messages} messages in {@code nanos}. */
  public static Bandwidth averageOf(long bytes, long messages, long nanos) {
    double perSecond = messages * NANOS / Math.max(1, nanos);
    return new Bandwidth(Double.NaN, bytes * perSecond, perSecond);
  }

  /**
   * Most messages per nanosecond over all stretches i..j: (j − i + 1) / (completed[j] − posted[i]).
   *
   * <p>perftest tries all pairs. Dinkelbach's method tries few rates: for a rate r, the stretch
   * with the largest (j + 1 − r·completed[j]) − (i − r·posted[i]) is found in one pass; while that
   * is above 0 the stretch is faster than r, and its rate is the next to try. It ends at the
   * maximum.
   */
  static double fastest(long[] posted, long[] completed) {
    long origin = posted[0];
    double rate = 0;
    while (true) {
      double best = 0;
      double next = rate;
      double least = Double.POSITIVE_INFINITY;
      int from = 0;
      for (int j = 0; j < completed.length; j++) {
        double begin = j - rate * (posted[j] - origin);
        if (begin < least) {
          least = begin;
          from = j;
        }
        double gain = j + 1 - rate * (completed[j] - origin) - least;
        double stretch = (j - from + 1) / (double) Math.max(1, completed[j] - posted[from]);
        if (gain > best && stretch > rate) {
          best = gain;
          next = stretch;
        }
      }
      if (next == rate) {
        return rate;
      }
      rate = next;
    }
  }
}
