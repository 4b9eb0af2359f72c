// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.emulated.lane;

/**
 * A small seeded stream of numbers (SplitMix64): one per lane, so that what one lane draws does not
 * depend on what others do. Not thread-safe.
 */
public final class Seeded {

  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private long state;

  /** A stream that {@code seed} alone determines. */
  public Seeded(long seed) {
    state = mix(seed);
  }

  /** Scrambles 64 bits, one to one. */
  public static long mix(long z) {
    long y = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    y = (y ^ (y >>> 27)) * 0x94D049BB133111EBL;
    return y ^ (y >>> 31);
  }

  /** The next 64 bits. */
  public long nextLong() {
    state += GOLDEN;
    return mix(state);
  }

  /** A number in 0 … bound − 1; {@code bound} is positive. */
  public long below(long bound) {
    return (nextLong() >>> 1) % bound;
  }

  /** True once in {@code n} times on average. */
  public boolean oneIn(int n) {
    return below(n) == 0;
  }
}
