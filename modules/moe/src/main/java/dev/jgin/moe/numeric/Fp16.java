// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.numeric;

/** Conversions between FP32 and IEEE 754 binary16. Stateless. */
public final class Fp16 {
  private Fp16() {}

  /**
   * Rounds to nearest, ties to even; magnitudes of 65520 and more become infinite; a NaN stays a
   * NaN.
   */
  public static short fromFloat(float value) {
    return Float.floatToFloat16(value);
  }

  /** The value of a binary16; exact. */
  public static float toFloat(short bits) {
    return Float.float16ToFloat(bits);
  }
}
