// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gin;

/**
 * Wrap-safe comparison of counters that only grow: the one place where it is done.
 *
 * <p>A value is <em>reached</em> when it is at most half the counter's range ahead of the target,
 * as serial numbers are compared (RFC 1982; {@code rolling_less_equal} in NCCL's device header). So
 * counters may wrap, provided that no two compared values are ever half the range apart.
 */
public final class Rolling {

  private Rolling() {}

  /** Whether a 64-bit counter standing at {@code value} has reached {@code target}. */
  public static boolean reached(long value, long target) {
    return value - target >= 0;
  }

  /**
   * The same for a counter of the low {@code bits} bits.
   *
   * @throws IllegalArgumentException if {@code bits} is not in 2..64
   */
  public static boolean reached(long value, long target, int bits) {
    if (bits < 2 || bits > 64) {
      throw new IllegalArgumentException("bits = " + bits + ": it must be in 2..64");
    }
    return (value - target) << (64 - bits) >= 0;
  }
}
