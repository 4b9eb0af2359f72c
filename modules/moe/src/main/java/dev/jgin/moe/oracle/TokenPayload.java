// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.oracle;

import dev.jgin.moe.numeric.ScaleFormat;
import dev.jgin.moe.routing.Routing;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Token rows made up so that a wrong one shows. Deterministic: a row depends on the seed, the rank,
 * the token and the epoch alone. Immutable and safe to share between threads.
 *
 * <p>Elements are finite, of either sign, with magnitudes spread over [1/8, 2). The two lowest bits
 * of every element and the scale of every block depend on the epoch so that they differ from those
 * of the three epochs before: a single stale element is seen with certainty, not with luck. Rows of
 * different tokens and ranks differ by their random bits.
 */
public final class TokenPayload {
  private static final ValueLayout.OfLong WORD =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt SCALE =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final OracleShape shape;
  private final long seed;

  /**
   * Bits that are random: the sign, two bits of the exponent, the fraction above the lowest two.
   */
  private final long random;

  /** Bits that are one: with the random two they make the exponents -3 to 0. */
  private final long ones;

  /** The lowest bit of every element of a word. */
  private final long lowest;

  /** Payload for rows of this shape. */
  public TokenPayload(OracleShape shape, long seed) {
    this.shape = shape;
    this.seed = seed;
    int bits = (int) (8 * shape.dtype().bytes());
    // The exponent field of values in [1/8, 2) is 0, then ones, then two bits that vary.
    int fraction =
        switch (shape.dtype()) {
          case BF16 -> 7;
          case FP16 -> 10;
          case FP32 -> 23;
          case FP8_E4M3 -> 3;
        };
    long sign = 1L << (bits - 1);
    long field = (sign - 1) & -(1L << fraction);
    long exponentOnes = field & ~(sign >>> 1) & -(1L << (fraction + 2));
    long varying = sign | (3L << fraction) | (((1L << fraction) - 1) & ~3L);
    this.random = repeat(varying, bits);
    this.ones = repeat(exponentOnes, bits);
    this.lowest = repeat(1L, bits);
  }

  /** Writes the payload of one token: {@code shape.rowBytes()} bytes. */
  public void writeRow(int rank, int token, long epoch, MemorySegment dst, long offset) {
    long state = start(rank, token, epoch);
    long stamp = lowest * (epoch & 3);
    for (long at = 0; at < shape.rowBytes(); at += 8) {
      state += 0x9E37_79B9_7F4A_7C15L;
      long word = (mix(state) & random) | ones | stamp;
      long left = shape.rowBytes() - at;
      if (left >= 8) {
        dst.set(WORD, offset + at, word);
      } else {
        for (int i = 0; i < left; i++) {
          dst.set(ValueLayout.JAVA_BYTE, offset + at + i, (byte) (word >>> (8 * i)));
        }
      }
    }
  }

  /** Writes the scales of one token: {@code shape.scaleBytes()} bytes. */
  public void writeScales(int rank, int token, long epoch, MemorySegment dst, long offset) {
    long perToken = start(rank, token, 0);
    for (int block = 0; block * shape.scales().bytes() < shape.scaleBytes(); block++) {
      long drawn = mix(perToken + ~(long) block);
      if (shape.scales() == ScaleFormat.FP32) {
        // In [1/2, 2), with the epoch in the two lowest bits.
        int bits = 0x3F00_0000 | ((int) drawn & 0x00FF_FFFC) | (int) (epoch & 3);
        dst.set(SCALE, offset + 4L * block, bits);
      } else {
        dst.set(ValueLayout.JAVA_BYTE, offset + block, (byte) (124 + ((drawn + epoch) & 3)));
      }
    }
  }

  /** The input of one rank, in segments of {@code arena}. */
  public RankInput input(int rank, Routing routing, long epoch, Arena arena) {
    MemorySegment tokens = arena.allocate(Math.max(1, routing.tokens() * shape.rowBytes()), 64);
    MemorySegment scales = arena.allocate(Math.max(1, routing.tokens() * shape.scaleBytes()), 64);
    for (int t = 0; t < routing.tokens(); t++) {
      writeRow(rank, t, epoch, tokens, t * shape.rowBytes());
      writeScales(rank, t, epoch, scales, t * shape.scaleBytes());
    }
    return new RankInput(routing, tokens, scales);
  }

  private long start(int rank, int token, long epoch) {
    return mix(mix(mix(seed) + epoch) + ((long) rank << 32 | token));
  }

  private static long repeat(long pattern, int bits) {
    long word = 0;
    for (int at = 0; at < 64; at += bits) {
      word |= pattern << at;
    }
    return word;
  }

  /** The finaliser of SplitMix64. */
  private static long mix(long z) {
    z = (z ^ (z >>> 30)) * 0xBF58_476D_1CE4_E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D0_49BB_1331_11EBL;
    return z ^ (z >>> 31);
  }
}
