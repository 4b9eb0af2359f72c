// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.perf.loop;

/**
 * Times of {@link System#nanoTime}, in the order in which they were taken. Keeps the last {@code
 * capacity} of them, the number of all, and the first. One thread at a time; adding allocates
 * nothing.
 */
public final class Stamps {
  /** For those who measure nothing. */
  static final int LEAST = 2;

  private final long[] at;
  private int next;
  private long count;
  private long first;
  private long last;

  /** Room for {@code capacity} times; with more, the oldest are forgotten. */
  public Stamps(int capacity) {
    this.at = new long[Math.max(LEAST, capacity)];
  }

  void add(long nanos) {
    if (count == 0) {
      first = nanos;
    }
    at[next] = nanos;
    next = next + 1 == at.length ? 0 : next + 1;
    last = nanos;
    count++;
  }

  /** Forgets all. */
  public void clear() {
    next = 0;
    count = 0;
  }

  /** How many were taken. */
  public long count() {
    return count;
  }

  /** From the first to the last that was taken, in nanoseconds. */
  public long span() {
    return last - first;
  }

  /** The first that was taken. */
  public long first() {
    return first;
  }

  /** The last that was taken. */
  public long last() {
    return last;
  }

  /** Those that are kept, the oldest first. */
  public long[] kept() {
    int n = (int) Math.min(count, at.length);
    long[] kept = new long[n];
    int from = count > at.length ? next : 0;
    for (int i = 0; i < n; i++) {
      kept[i] = at[(from + i) % at.length];
    }
    return kept;
  }

  /** The time from each that is kept to the next, in nanoseconds. */
  public long[] intervals() {
    long[] kept = kept();
    long[] intervals = new long[Math.max(0, kept.length - 1)];
    for (int i = 0; i < intervals.length; i++) {
      intervals[i] = kept[i + 1] - kept[i];
    }
    return intervals;
  }
}
