// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.moe;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;

/** The time of each operation in each iteration: that of the slowest rank. Any thread may add. */
final class Samples {
  /** The operations that are timed, in the order of the report. */
  enum Op {
    DISPATCH,
    EPILOGUE,
    COMBINE,
    REDUCE,
    TOTAL
  }

  private static final long NONE = -1;

  private record Series(AtomicLongArray slowest, LongAdder rows) {}

  private final Map<Op, Series> series = new EnumMap<>(Op.class);
  private final int warmup;

  Samples(int warmup, int iterations) {
    this.warmup = warmup;
    for (Op op : Op.values()) {
      long[] none = new long[iterations];
      Arrays.fill(none, NONE);
      series.put(op, new Series(new AtomicLongArray(none), new LongAdder()));
    }
  }

  /**
   * Notes one rank's operation in iteration {@code index}, warm-up first, of which none is kept.
   */
  void add(Op op, int index, long nanos, long movedRows) {
    if (index >= warmup) {
      Series of = series.get(op);
      of.slowest.accumulateAndGet(index - warmup, nanos, Math::max);
      of.rows.add(movedRows);
    }
  }

  /** The times of the iterations that came to the end of {@code op}. */
  long[] nanos(Op op) {
    AtomicLongArray slowest = series.get(op).slowest;
    return IntStream.range(0, slowest.length())
        .mapToLong(slowest::get)
        .filter(nanos -> nanos != NONE)
        .toArray();
  }

  /** Rows moved by all ranks, an average iteration. */
  double meanRows(Op op) {
    int count = nanos(op).length;
    return count == 0 ? 0 : (double) series.get(op).rows.sum() / count;
  }
}
