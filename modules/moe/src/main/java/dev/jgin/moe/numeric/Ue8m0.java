// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.numeric;

/**
 * Conversions between FP32 and UE8M0, an unsigned power of two in one byte, as the OCP Microscaling
 * Formats Specification defines it: the byte {@code b} is 2<sup>b-127</sup>, 0xFF is NaN; there is
 * no zero and no infinity. Stateless.
 */
public final class Ue8m0 {
  /** The NaN pattern. */
  public static final byte NAN = (byte) 0xFF;

  private static final int FRACTION = 0x007F_FFFF;

  private Ue8m0() {}

  /**
   * The smallest representable power of two that is not below {@code scale}: dividing by it never
   * enlarges a quotient, so no value that fitted under {@code scale} overflows. Zero and values
   * below 2<sup>-127</sup> become 2<sup>-127</sup>.
   *
   * <p>Negative, infinite and NaN scales, and scales above 2<sup>127</sup>, have no such power:
   * they become NaN.
   */
  public static byte ceil(float scale) {
    int bits = Float.floatToRawIntBits(scale);
    if (bits < 0) {
      return scale == 0f ? 0 : NAN;
    }
    if (bits <= 0x0040_0000) {
      return 0;
    }
    // A subnormal above 2^-127 has exponent field 0 and a non-zero fraction: it rounds up to 1.
    int exponent = (bits >>> 23) + ((bits & FRACTION) != 0 ? 1 : 0);
    return exponent > 254 ? NAN : (byte) exponent;
  }

  /** The value of a pattern; exact. */
  public static float toFloat(byte bits) {
    int exponent = bits & 0xFF;
    if (exponent == 0) {
      return 0x1p-127f;
    }
    return exponent == 0xFF ? Float.NaN : Float.intBitsToFloat(exponent << 23);
  }
}
