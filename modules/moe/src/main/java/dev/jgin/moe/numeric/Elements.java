// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.numeric;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Reads and writes packed elements of a segment as FP32, one at a time or a row at a time.
 *
 * <p>Offsets are in bytes and need no alignment; {@code n} counts elements. Every method is a pure
 * function of its arguments, allocates nothing and may be called from any thread; two threads that
 * write overlapping bytes race. FP8 elements are taken as they stand: {@link BlockQuantizer} knows
 * about scales.
 *
 * <p>All methods throw {@link IndexOutOfBoundsException} if a row leaves its segment or array; a
 * row that fails part way may have been written in part.
 */
public final class Elements {
  static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  static final ValueLayout.OfFloat FLOAT =
      ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private Elements() {}

  /** The element {@code index} of the packed elements that begin at {@code offset}; exact. */
  public static float read(DType dtype, MemorySegment segment, long offset, long index) {
    long at = offset + index * dtype.bytes();
    return switch (dtype) {
      case BF16 -> Bf16.toFloat(segment.get(SHORT, at));
      case FP16 -> Fp16.toFloat(segment.get(SHORT, at));
      case FP32 -> Float.intBitsToFloat(segment.get(INT, at));
      case FP8_E4M3 -> Fp8E4M3.toFloat(segment.get(ValueLayout.JAVA_BYTE, at));
    };
  }

  /** Writes one element, rounded to nearest, ties to even; FP8 saturates. */
  public static void write(
      DType dtype, MemorySegment segment, long offset, long index, float value) {
    long at = offset + index * dtype.bytes();
    switch (dtype) {
      case BF16 -> segment.set(SHORT, at, Bf16.fromFloat(value));
      case FP16 -> segment.set(SHORT, at, Fp16.fromFloat(value));
      case FP32 -> segment.set(INT, at, Float.floatToRawIntBits(value));
      case FP8_E4M3 -> segment.set(ValueLayout.JAVA_BYTE, at, Fp8E4M3.fromFloat(value));
    }
  }

  /** Widens {@code n} elements into {@code row[0..n)}; exact. */
  public static void load(DType dtype, MemorySegment src, long offset, float[] row, int n) {
    switch (dtype) {
      case BF16 -> {
        for (int i = 0; i < n; i++) {
          row[i] = Bf16.toFloat(src.get(SHORT, offset + 2L * i));
        }
      }
      case FP16 -> {
        for (int i = 0; i < n; i++) {
          row[i] = Fp16.toFloat(src.get(SHORT, offset + 2L * i));
        }
      }
      case FP32 -> MemorySegment.copy(src, FLOAT, offset, row, 0, n);
      case FP8_E4M3 -> {
        for (int i = 0; i < n; i++) {
          row[i] = Fp8E4M3.toFloat(src.get(ValueLayout.JAVA_BYTE, offset + i));
        }
      }
    }
  }

  /** Narrows {@code row[0..n)}, rounding to nearest, ties to even; FP8 saturates. */
  public static void store(DType dtype, float[] row, MemorySegment dst, long offset, int n) {
    switch (dtype) {
      case BF16 -> {
        for (int i = 0; i < n; i++) {
          dst.set(SHORT, offset + 2L * i, Bf16.fromFloat(row[i]));
        }
      }
      case FP16 -> {
        for (int i = 0; i < n; i++) {
          dst.set(SHORT, offset + 2L * i, Fp16.fromFloat(row[i]));
        }
      }
      case FP32 -> MemorySegment.copy(row, 0, dst, FLOAT, offset, n);
      case FP8_E4M3 -> {
        for (int i = 0; i < n; i++) {
          dst.set(ValueLayout.JAVA_BYTE, offset + i, Fp8E4M3.fromFloat(row[i]));
        }
      }
    }
  }

  /**
   * Adds {@code weight * x[i]} to {@code acc[i]} for {@code i} in {@code [0, n)}. The product is
   * rounded to FP32 before it is added: two operations, never a fused one.
   */
  public static void accumulate(
      DType dtype, MemorySegment src, long offset, float[] acc, int n, float weight) {
    switch (dtype) {
      case BF16 -> {
        for (int i = 0; i < n; i++) {
          acc[i] = acc[i] + weight * Bf16.toFloat(src.get(SHORT, offset + 2L * i));
        }
      }
      case FP16 -> {
        for (int i = 0; i < n; i++) {
          acc[i] = acc[i] + weight * Fp16.toFloat(src.get(SHORT, offset + 2L * i));
        }
      }
      case FP32 -> {
        for (int i = 0; i < n; i++) {
          acc[i] = acc[i] + weight * Float.intBitsToFloat(src.get(INT, offset + 4L * i));
        }
      }
      case FP8_E4M3 -> {
        for (int i = 0; i < n; i++) {
          acc[i] = acc[i] + weight * Fp8E4M3.toFloat(src.get(ValueLayout.JAVA_BYTE, offset + i));
        }
      }
    }
  }
}
