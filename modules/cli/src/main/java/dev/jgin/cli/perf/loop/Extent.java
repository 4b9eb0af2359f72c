// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.perf.loop;

/**
 * How many rounds are run: a number, or as many as begin within a time. One rank leads: it says
 * before each round what the time is, and when the time is up it makes the round at hand the last.
 *
 * <p>A rank that follows asks after each round whether there is another. It has its answer from the
 * leader in time, because the leader decides before it posts what ends the follower's wait in that
 * round. Thread-safe for one leader and any number of followers, which share one object.
 */
public final class Extent {
  private final long nanos;
  private long begin;
  private volatile long end;

  private Extent(long rounds, long nanos) {
    this.end = rounds;
    this.nanos = nanos;
  }

  /** {@code rounds} rounds, at least 1. */
  public static Extent ofRounds(long rounds) {
    return new Extent(rounds, Long.MAX_VALUE);
  }

  /** As many rounds as begin within {@code nanos}, at least 1. */
  public static Extent ofNanos(long nanos) {
    return new Extent(Long.MAX_VALUE, nanos);
  }

  /**
   * For the leader, before it posts anything of round {@code i} (0, 1, 2, …) at time {@code now}.
   */
  void lead(long i, long now) {
    if (i == 0) {
      begin = now;
    } else if (now - begin >= nanos && end > i + 1) {
      end = i + 1;
    }
  }

  /** Whether round {@code i} is run. A follower asks only when it has ended round i − 1. */
  boolean more(long i) {
    return i < end;
  }
}
