// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.perf.report;

import java.util.Arrays;

/** The time of every iteration of a latency test. Immutable. */
public final class Times {
  private final long[] intervals;
  private final int parts;

  /** Intervals in nanoseconds, of which a time is one part of {@code parts}. */
  public Times(long[] intervals, int parts) {
    this.intervals = intervals.clone();
    this.parts = parts;
  }

  /** The figures. */
  public Latency latency() {
    return Latency.of(intervals, parts);
  }

  /** The times that were asked for, in nanoseconds; sorted ones without the longest two. */
  double[] nanos(PerfOutput.Samples wanted) {
    double[] nanos = Arrays.stream(intervals).mapToDouble(t -> (double) t / parts).toArray();
    return switch (wanted) {
      case NONE -> new double[0];
      case UNSORTED -> nanos;
      case SORTED -> {
        Arrays.sort(nanos);
        yield Arrays.copyOf(nanos, nanos.length - Latency.TAIL);
      }
    };
  }
}
