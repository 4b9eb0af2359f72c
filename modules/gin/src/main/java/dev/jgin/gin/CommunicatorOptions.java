// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gin;

import java.util.Objects;

/**
 * How a communicator is set up; equal on every rank.
 *
 * @param signals signal ids per context, 0 ≤ id &lt; signals
 * @param counters counter ids per context, 0 ≤ id &lt; counters
 * @param allowUnsound whether a protocol may run on a carrier that does not promise what it needs:
 *     for experiments only
 * @param timeoutNanos deadline of blocking calls that do not name one, on the carrier's clock
 * @param waiting what blocking calls do between two looks
 */
public record CommunicatorOptions(
    int signals, int counters, boolean allowUnsound, long timeoutNanos, WaitStrategy waiting) {

  public CommunicatorOptions {
    Objects.requireNonNull(waiting, "waiting");
    if (signals < 0 || counters < 0) {
      throw new IllegalArgumentException(
          "signals = " + signals + ", counters = " + counters + ": neither may be negative");
    }
    if (timeoutNanos <= 0) {
      throw new IllegalArgumentException(
          "timeout = " + timeoutNanos + " ns: it must be positive; every wait has a deadline");
    }
  }

  /** 16 signals, 16 counters, sound protocols only, 30 s, {@link WaitStrategy#backoff()}. */
  public static CommunicatorOptions defaults() {
    return new CommunicatorOptions(16, 16, false, 30_000_000_000L, WaitStrategy.backoff());
  }

  /** The same with another {@code allowUnsound}. */
  public CommunicatorOptions withAllowUnsound(boolean allow) {
    return new CommunicatorOptions(signals, counters, allow, timeoutNanos, waiting);
  }

  /** The same with another deadline. */
  public CommunicatorOptions withTimeoutNanos(long nanos) {
    return new CommunicatorOptions(signals, counters, allowUnsound, nanos, waiting);
  }

  /** The same with another wait strategy. */
  public CommunicatorOptions withWaiting(WaitStrategy strategy) {
    return new CommunicatorOptions(signals, counters, allowUnsound, timeoutNanos, strategy);
  }

  /** The same with other numbers of signal and counter ids. */
  public CommunicatorOptions withSignals(int signalIds, int counterIds) {
    return new CommunicatorOptions(signalIds, counterIds, allowUnsound, timeoutNanos, waiting);
  }
}
