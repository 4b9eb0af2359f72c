// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.oracle;

/**
 * A binary floating-point format of at most 16 bits, described by its three numbers and computed in
 * double precision, which holds every value and every rounding step exactly.
 *
 * <p>A magnitude {@code m} with exponent {@code e} (not below {@code minExponent}) is the whole
 * number {@code q = m / 2^(e - precision + 1)}, rounded to nearest even by {@link Math#rint}. Its
 * pattern is {@code (e - minExponent) * 2^(precision - 1) + q}: the same formula for normal and
 * subnormal numbers, and a carry into the next binade needs no case of its own.
 */
final class SmallFloat {
  static final SmallFloat BF16 = new SmallFloat(16, 8, -126, 0x7F80, 0x7FC0);
  static final SmallFloat FP16 = new SmallFloat(16, 11, -14, 0x7C00, 0x7E00);

  /** Saturates at 448, pattern 0x7E: this format has no infinity. */
  static final SmallFloat FP8_E4M3 = new SmallFloat(8, 4, -6, 0x7E, 0x7F);

  private final int precision;
  private final int minExponent;
  private final int largestPattern;
  private final int nanPattern;
  private final int signPattern;
  private final float[] values;

  /** 2 to the power {@code precision - 1 - e}, at index {@code e - minExponent}. */
  private final double[] unitsPerOne;

  private SmallFloat(int bits, int precision, int minExponent, int largestPattern, int nanPattern) {
    this.precision = precision;
    this.minExponent = minExponent;
    this.largestPattern = largestPattern;
    this.nanPattern = nanPattern;
    this.signPattern = 1 << (bits - 1);
    this.values = new float[1 << bits];
    for (int pattern = 0; pattern < signPattern; pattern++) {
      values[pattern] = (float) magnitude(pattern);
      values[pattern | signPattern] = -values[pattern];
    }
    this.unitsPerOne = new double[Float.MAX_EXPONENT - minExponent + 1];
    for (int i = 0; i < unitsPerOne.length; i++) {
      unitsPerOne[i] = Math.scalb(1.0, precision - 1 - (i + minExponent));
    }
  }

  /** The value of a pattern; exact. */
  float decode(int pattern) {
    return values[pattern & (2 * signPattern - 1)];
  }

  /** The pattern nearest to {@code value}; of two equally near ones the even one. */
  int encode(float value) {
    if (Float.isNaN(value)) {
      return nanPattern;
    }
    int sign = Float.floatToRawIntBits(value) < 0 ? signPattern : 0;
    if (Float.isInfinite(value)) {
      return sign | largestPattern;
    }
    double m = Math.abs((double) value);
    int binade = Math.max(Math.getExponent(m), minExponent) - minExponent;
    int units = (int) Math.rint(m * unitsPerOne[binade]);
    return sign | Math.min((binade << (precision - 1)) + units, largestPattern);
  }

  private double magnitude(int pattern) {
    int fractionBits = precision - 1;
    int field = pattern >> fractionBits;
    int fraction = pattern & ((1 << fractionBits) - 1);
    boolean saturates = nanPattern == largestPattern + 1;
    if (pattern == largestPattern && !saturates) {
      return Double.POSITIVE_INFINITY;
    }
    if (pattern > largestPattern) {
      return Double.NaN;
    }
    int whole = field == 0 ? fraction : fraction + (1 << fractionBits);
    return Math.scalb((double) whole, Math.max(field, 1) - 1 + minExponent - fractionBits);
  }
}
