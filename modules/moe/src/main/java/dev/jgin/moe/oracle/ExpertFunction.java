// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.oracle;

import java.lang.foreign.MemorySegment;

/**
 * A stand-in for the experts between dispatch and combine: {@code y[i] = x[i] * a + b}, with {@code
 * a} and {@code b} picked from a table of 64 by expert and element so that no two experts agree on
 * a whole row of two elements or more.
 *
 * <p>{@code x} is the element times its scale, rounded to FP32. {@code a} is a power of two or its
 * negative, so the product is exact and a fused multiply-add gives the same bits; the sum is
 * rounded to FP32, then to the combine type. Stateless apart from the shape, safe to share.
 */
public final class ExpertFunction {
  private static final int TABLE = 64;
  private static final float[] A = new float[TABLE];
  private static final float[] B = new float[TABLE];

  static {
    for (int i = 0; i < TABLE; i++) {
      A[i] = (float) Math.pow(2, i % 4 - 2) * (i % 8 < 4 ? 1 : -1);
      B[i] = (i - 31.5f) / 32f;
    }
  }

  private final OracleShape shape;

  /** Experts for rows of this shape. */
  public ExpertFunction(OracleShape shape) {
    this.shape = shape;
  }

  /**
   * Applies one expert to one row.
   *
   * @param expert the expert's number in the whole model
   * @param row segment with the dispatched payload at {@code rowOffset}
   * @param scales segment with the row's scales at {@code scaleOffset}; not read without scales
   * @param out receives {@code shape.combineRowBytes()} bytes at {@code outOffset}
   */
  public void apply(
      int expert,
      MemorySegment row,
      long rowOffset,
      MemorySegment scales,
      long scaleOffset,
      MemorySegment out,
      long outOffset) {
    long step = shape.combineDtype().bytes();
    for (int i = 0; i < shape.hidden(); i++) {
      float y = at(expert, i, element(row, rowOffset, scales, scaleOffset, i));
      Scalars.write(shape.combineDtype(), out, outOffset + i * step, y);
    }
  }

  /**
   * What a rank gives back for a token that it holds once: the sum over {@code lanes} in the order
   * given of {@code weight * y}, each {@code y} rounded to the combine type first, product and sum
   * rounded to FP32 each, the sum rounded once to the combine type.
   *
   * @param experts the experts of this rank that the token names, in lane order, numbered in the
   *     whole model
   * @param weights their weights
   * @param lanes how many entries of both count
   */
  public void applyWeighted(
      int[] experts,
      float[] weights,
      int lanes,
      MemorySegment row,
      long rowOffset,
      MemorySegment scales,
      long scaleOffset,
      MemorySegment out,
      long outOffset) {
    long step = shape.combineDtype().bytes();
    for (int i = 0; i < shape.hidden(); i++) {
      float x = element(row, rowOffset, scales, scaleOffset, i);
      float sum = 0f;
      for (int lane = 0; lane < lanes; lane++) {
        float y = Scalars.round(shape.combineDtype(), at(experts[lane], i, x));
        float product = weights[lane] * y;
        sum = sum + product;
      }
      Scalars.write(shape.combineDtype(), out, outOffset + i * step, sum);
    }
  }

  /** The element {@code index} of a row, scaled, in FP32. */
  float element(
      MemorySegment row, long rowOffset, MemorySegment scales, long scaleOffset, int index) {
    float x = Scalars.read(shape.dtype(), row, rowOffset + index * shape.dtype().bytes());
    return x * Scalars.scale(shape.scales(), scales, scaleOffset, index);
  }

  /** The output of {@code expert} for element {@code index} of value {@code x}, in FP32. */
  static float at(int expert, int index, float x) {
    // Expert and stride together are different for each of 2,048 experts.
    int stride = 2 * (expert / TABLE) + 1;
    int entry = (expert + index * stride) % TABLE;
    float product = x * A[entry];
    return product + B[entry];
  }
}
