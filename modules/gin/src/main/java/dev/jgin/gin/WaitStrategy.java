// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gin;

import java.util.concurrent.locks.LockSupport;

/**
 * What a blocking call does between two looks. It decides about processor time only, never about
 * correctness, and must not block for long: deadlines are looked at between two calls.
 */
@FunctionalInterface
public interface WaitStrategy {

  /** Called after look number {@code round} (0, 1, 2, …) of one wait that found nothing. */
  void idle(int round);

  /** Spins: lowest latency, for a thread that owns its core. */
  static WaitStrategy spin() {
    return round -> Thread.onSpinWait();
  }

  /** Spins, then yields, then parks for up to 50 µs: for more ranks than cores. The default. */
  @SuppressWarnings("ThreadPriorityCheck") // yielding saves time here, correctness never needs it
  static WaitStrategy backoff() {
    return round -> {
      if (round < 64) {
        Thread.onSpinWait();
      } else if (round < 1024) {
        Thread.yield();
      } else {
        LockSupport.parkNanos(Math.min(50_000L, (round - 1000) * 50L));
      }
    };
  }
}
