// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.numeric;

/**
 * Conversions between FP32 and the 8-bit E4M3 format of the OCP 8-bit Floating Point Specification
 * (also called E4M3FN): 1 sign bit, 4 exponent bits with bias 7, 3 fraction bits. Stateless.
 *
 * <p>There are no infinities. The two patterns with all lower seven bits set (0x7F, 0xFF) are NaN;
 * the largest finite value is 448, the smallest positive one 2<sup>-9</sup>.
 */
public final class Fp8E4M3 {
  /** The largest finite value. */
  public static final float MAX = 448f;

  /** The positive NaN pattern. */
  public static final byte NAN = 0x7F;

  private static final float MIN_NORMAL = 0x1p-6f;

  /** A float whose unit in the last place is the smallest E4M3 subnormal, 2^-9. */
  private static final float SUBNORMAL_UNIT_IN_LAST_PLACE = 0x1p14f;

  private static final float[] VALUES = decodeAll();

  private Fp8E4M3() {}

  /**
   * Rounds to nearest, ties to even, and saturates: a magnitude above 448, infinity included,
   * becomes 448 with the same sign. A NaN becomes the NaN of the same sign. This is the {@code
   * SATFINITE} conversion of CUDA.
   */
  public static byte fromFloat(float value) {
    int bits = Float.floatToRawIntBits(value);
    int sign = (bits >>> 24) & 0x80;
    float magnitude = Math.abs(value);
    if (magnitude >= MAX) {
      return (byte) (sign | 0x7E);
    }
    if (magnitude >= MIN_NORMAL) {
      int m = bits & 0x7FFF_FFFF;
      int rounded = m + 0x7_FFFF + ((m >>> 20) & 1);
      return (byte) (sign | ((rounded >>> 20) - ((127 - 7) << 3)));
    }
    if (magnitude < MIN_NORMAL) {
      // The FP32 adder rounds to a multiple of 2^-9; a carry out of the last subnormal lands on
      // the first normal pattern by itself.
      float shifted = magnitude + SUBNORMAL_UNIT_IN_LAST_PLACE;
      int steps =
          Float.floatToRawIntBits(shifted) - Float.floatToRawIntBits(SUBNORMAL_UNIT_IN_LAST_PLACE);
      return (byte) (sign | steps);
    }
    return (byte) (sign | NAN);
  }

  /** The value of a pattern; exact. Both NaN patterns become NaN. */
  public static float toFloat(byte bits) {
    return VALUES[bits & 0xFF];
  }

  private static float[] decodeAll() {
    float[] values = new float[256];
    for (int pattern = 0; pattern < 128; pattern++) {
      int exponent = pattern >>> 3;
      int fraction = pattern & 7;
      float value =
          exponent == 0 ? fraction * 0x1p-9f : Math.scalb(1f + fraction / 8f, exponent - 7);
      values[pattern] = pattern == NAN ? Float.NaN : value;
      values[pattern | 0x80] = -values[pattern];
    }
    return values;
  }
}
