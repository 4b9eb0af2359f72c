// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.numeric;

/** Conversions between FP32 and bfloat16, the upper 16 bits of an FP32. Stateless. */
public final class Bf16 {
  private static final int MAGNITUDE = 0x7FFF_FFFF;
  private static final int INFINITY = 0x7F80_0000;
  private static final int QUIET = 0x0040_0000;

  private Bf16() {}

  /**
   * Rounds to nearest, ties to even. Magnitudes above the largest finite BF16 by half a unit or
   * more become infinite, as IEEE 754 demands. A NaN stays a NaN: it is made quiet and keeps its
   * sign and the upper bits of its payload.
   */
  public static short fromFloat(float value) {
    return (short) (roundedBits(Float.floatToRawIntBits(value)) >>> 16);
  }

  /** The same on the bits of an FP32: the result is the upper half, the lower half is left over. */
  static int roundedBits(int bits) {
    // Without a branch, so that loops over rows stay straight-line code. The rounding carry would
    // turn a NaN with a full payload into -0 or an infinity: the mask keeps NaNs out of it.
    int nan = (INFINITY - (bits & MAGNITUDE)) >> 31;
    int rounded = bits + 0x7FFF + ((bits >>> 16) & 1);
    return (rounded & ~nan) | ((bits | QUIET) & nan);
  }

  /** The value of a bfloat16; exact. */
  public static float toFloat(short bits) {
    return Float.intBitsToFloat(bits << 16);
  }
}
