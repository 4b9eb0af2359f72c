// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe;

import static dev.jgin.moe.layout.Words.INT;

import dev.jgin.moe.numeric.DType;
import dev.jgin.moe.numeric.Elements;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * A weighted sum of blocks of up to {@value #BLOCK} elements in FP32: {@code sum = sum + weight *
 * x}, two roundings, element by element in the order of the calls. Gives the bits of {@link
 * Elements#accumulate} and {@link Elements#store} (of a NaN, that it is one), in loops that the
 * compiler turns into vector code: it does so with arrays, and not across the step from int bits to
 * float, which is therefore a copy from one array to another.
 *
 * <p>The even elements of a BF16 block stand in the first half of the arrays and the odd ones in
 * the second: two of them are then one int apart, and neither widening nor narrowing mixes element
 * sizes. One thread at a time.
 */
final class BlockSum {
  static final int BLOCK = 2048;

  private static final int UPPER = 0xFFFF_0000;
  private static final int MAGNITUDE = 0x7FFF_FFFF;
  private static final int INFINITY = 0x7F80_0000;
  private static final int QUIET = 0x0040_0000;

  private final DType dtype;
  private final float[] sum = new float[BLOCK];
  private final float[] values = new float[BLOCK];
  private final int[] bits = new int[BLOCK];
  private final short[] halves = new short[BLOCK];
  private final MemorySegment sumBytes = MemorySegment.ofArray(sum);
  private final MemorySegment valueBytes = MemorySegment.ofArray(values);
  private final MemorySegment bitBytes = MemorySegment.ofArray(bits);
  private final MemorySegment halfBytes = MemorySegment.ofArray(halves);

  BlockSum(DType dtype) {
    this.dtype = dtype;
  }

  /** Begins at +0. */
  void clear(int n) {
    Arrays.fill(sum, 0, n, 0f);
  }

  /** Adds {@code n} elements, as many as were cleared and even for BF16, times {@code weight}. */
  void add(MemorySegment from, long offset, int n, float weight) {
    switch (dtype) {
      case BF16 -> {
        splitPairs(from, offset, bits, n / 2);
        MemorySegment.copy(bitBytes, 0, valueBytes, 0, (long) n * Float.BYTES);
        addValues(sum, values, n, weight);
      }
      case FP16 -> {
        MemorySegment.copy(from, offset, halfBytes, 0, (long) n * Short.BYTES);
        widen(halves, values, n);
        addValues(sum, values, n, weight);
      }
      case FP32 -> {
        MemorySegment.copy(from, offset, valueBytes, 0, (long) n * Float.BYTES);
        addValues(sum, values, n, weight);
      }
      case FP8_E4M3 -> Elements.accumulate(dtype, from, offset, sum, n, weight);
    }
  }

  /** Rounds the sum and writes its {@code n} elements. */
  void store(MemorySegment to, long offset, int n) {
    switch (dtype) {
      case BF16 -> {
        MemorySegment.copy(sumBytes, 0, bitBytes, 0, (long) n * Float.BYTES);
        round(bits, n);
        joinPairs(bits, to, offset, n / 2);
      }
      case FP16 -> {
        narrow(sum, halves, n);
        MemorySegment.copy(halfBytes, 0, to, offset, (long) n * Short.BYTES);
      }
      case FP32 -> MemorySegment.copy(sumBytes, 0, to, offset, (long) n * Float.BYTES);
      case FP8_E4M3 -> Elements.store(dtype, sum, to, offset, n);
    }
  }

  // Each loop has a method of its own: small methods are compiled soon and inlined whole.

  private static void splitPairs(MemorySegment from, long offset, int[] bits, int pairs) {
    for (int i = 0; i < pairs; i++) {
      bits[i] = from.get(INT, offset + 4L * i) << 16;
    }
    for (int i = 0; i < pairs; i++) {
      bits[pairs + i] = from.get(INT, offset + 4L * i) & UPPER;
    }
  }

  private static void joinPairs(int[] bits, MemorySegment to, long offset, int pairs) {
    for (int i = 0; i < pairs; i++) {
      to.set(INT, offset + 4L * i, (bits[i] >>> 16) | (bits[pairs + i] & UPPER));
    }
  }

  // As Bf16.fromFloat, the result left in the upper half.
  private static void round(int[] bits, int n) {
    for (int i = 0; i < n; i++) {
      int b = bits[i];
      int nan = (INFINITY - (b & MAGNITUDE)) >> 31;
      int rounded = b + 0x7FFF + ((b >>> 16) & 1);
      bits[i] = (rounded & ~nan) | ((b | QUIET) & nan);
    }
  }

  private static void addValues(float[] sum, float[] values, int n, float weight) {
    for (int i = 0; i < n; i++) {
      sum[i] = sum[i] + weight * values[i];
    }
  }

  private static void widen(short[] halves, float[] values, int n) {
    for (int i = 0; i < n; i++) {
      values[i] = Float.float16ToFloat(halves[i]);
    }
  }

  private static void narrow(float[] values, short[] halves, int n) {
    for (int i = 0; i < n; i++) {
      halves[i] = Float.floatToFloat16(values[i]);
    }
  }
}
