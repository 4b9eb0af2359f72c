// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gpu.proxy;

/**
 * How a {@link ProxyEngine} works.
 *
 * @param timeoutNanos deadline of each wait of an operation that has begun, on the carrier's clock;
 *     an idle stream waits without one
 * @param batch most descriptors that are taken from one ring before its doorbell is rung and the
 *     next ring is looked at
 */
public record ProxyOptions(long timeoutNanos, int batch) {

  /** Checks both. */
  public ProxyOptions {
    if (timeoutNanos <= 0) {
      throw new IllegalArgumentException(
          "timeout = " + timeoutNanos + " ns: it must be positive; every wait has a deadline");
    }
    if (batch < 1) {
      throw new IllegalArgumentException("batch = " + batch + ": it must be at least 1");
    }
  }

  /** 30 s, 64 descriptors. */
  public static ProxyOptions defaults() {
    return new ProxyOptions(30_000_000_000L, 64);
  }

  /** The same with another deadline. */
  public ProxyOptions withTimeoutNanos(long nanos) {
    return new ProxyOptions(nanos, batch);
  }

  /** The same with another batch. */
  public ProxyOptions withBatch(int descriptors) {
    return new ProxyOptions(timeoutNanos, descriptors);
  }
}
