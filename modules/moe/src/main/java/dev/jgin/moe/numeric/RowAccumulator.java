// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.numeric;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Objects;

/**
 * The FP32 sum of weighted rows of one element type: clear, add rows, store.
 *
 * <p>Element {@code i} becomes {@code (((0 + w0 * x0[i]) + w1 * x1[i]) + ...)} in the order of the
 * calls, each product and each sum rounded to FP32 and never fused: the same bits as {@link
 * Elements#accumulate}, several times faster for two-byte and four-byte types.
 *
 * <p>Offsets are in bytes and need no alignment. After construction nothing is allocated. Instances
 * are mutable and hold scratch space: one per thread.
 */
public final class RowAccumulator {
  private static final int UPPER = 0xFFFF_0000;

  private final DType rowType;

  // BF16 rows are summed as two planes, even elements and odd elements: an int load brings one of
  // each, and both shift and mask are loops that the JIT turns into vector code, which it does not
  // do for a short widened to a float.
  private final float[] even;
  private final float[] odd;
  private final float[] widened;
  private final MemorySegment widenedBits;
  private final MemorySegment evenBits;
  private final MemorySegment oddBits;
  private int n;

  /**
   * An empty sum of rows of type {@code rowType} with at most {@code capacity} elements.
   *
   * @throws IllegalArgumentException if {@code capacity} is negative
   */
  public RowAccumulator(DType rowType, int capacity) {
    if (capacity < 0) {
      throw new IllegalArgumentException("capacity of " + capacity + " elements: need >= 0");
    }
    this.rowType = rowType;
    boolean planar = rowType == DType.BF16;
    this.even = new float[planar ? capacity - capacity / 2 : capacity];
    this.odd = new float[planar ? capacity / 2 : 0];
    this.widened = new float[even.length];
    this.widenedBits = MemorySegment.ofArray(widened);
    this.evenBits = MemorySegment.ofArray(even);
    this.oddBits = MemorySegment.ofArray(odd);
  }

  /** The element type of the rows that are added. */
  public DType rowType() {
    return rowType;
  }

  /**
   * Begins a sum of rows of {@code elements} elements, all zero.
   *
   * @throws IndexOutOfBoundsException if that exceeds the capacity
   */
  public void clear(int elements) {
    if (elements < 0 || elements > even.length + odd.length) {
      throw new IndexOutOfBoundsException(
          "row of " + elements + " elements, capacity " + (even.length + odd.length));
    }
    n = elements;
    Arrays.fill(even, 0, rowType == DType.BF16 ? n - n / 2 : n, 0f);
    Arrays.fill(odd, 0, rowType == DType.BF16 ? n / 2 : 0, 0f);
  }

  /** Element {@code i} of the sum. */
  public float get(int i) {
    Objects.checkIndex(i, n);
    if (rowType == DType.BF16) {
      return (i & 1) == 0 ? even[i >> 1] : odd[i >> 1];
    }
    return even[i];
  }

  /** Adds {@code weight} times the row at {@code offset}. */
  public void add(MemorySegment src, long offset, float weight) {
    switch (rowType) {
      case BF16 -> addBf16(src, offset, weight);
      case FP32 -> addFp32(src, offset, weight);
      case FP16, FP8_E4M3 -> Elements.accumulate(rowType, src, offset, even, n, weight);
    }
  }

  private void addBf16(MemorySegment src, long offset, float weight) {
    int pairs = n / 2;
    widenLower(src, offset, widenedBits, pairs);
    multiplyAdd(widened, even, pairs, weight);
    widenUpper(src, offset, widenedBits, pairs);
    multiplyAdd(widened, odd, pairs, weight);
    if ((n & 1) == 1) {
      even[pairs] = even[pairs] + weight * Elements.read(DType.BF16, src, offset, n - 1L);
    }
  }

  private void addFp32(MemorySegment src, long offset, float weight) {
    copyBits(src, offset, widenedBits, n);
    multiplyAdd(widened, even, n, weight);
  }

  private static void widenLower(MemorySegment src, long offset, MemorySegment bits, int count) {
    for (int i = 0; i < count; i++) {
      bits.set(Elements.INT, 4L * i, src.get(Elements.INT, offset + 4L * i) << 16);
    }
  }

  private static void widenUpper(MemorySegment src, long offset, MemorySegment bits, int count) {
    for (int i = 0; i < count; i++) {
      bits.set(Elements.INT, 4L * i, src.get(Elements.INT, offset + 4L * i) & UPPER);
    }
  }

  private static void copyBits(MemorySegment src, long offset, MemorySegment bits, int count) {
    for (int i = 0; i < count; i++) {
      bits.set(Elements.INT, 4L * i, src.get(Elements.INT, offset + 4L * i));
    }
  }

  private static void multiplyAdd(float[] x, float[] acc, int count, float weight) {
    for (int i = 0; i < count; i++) {
      acc[i] = acc[i] + weight * x[i];
    }
  }

  /** Writes the sum, rounded to {@code dstType}: to nearest, ties to even; FP8 saturates. */
  public void store(DType dstType, MemorySegment dst, long offset) {
    if (rowType == DType.BF16 && dstType == DType.BF16) {
      storeBf16(dst, offset);
    } else if (rowType == DType.BF16) {
      for (int i = 0; i < n; i++) {
        Elements.write(dstType, dst, offset, i, (i & 1) == 0 ? even[i >> 1] : odd[i >> 1]);
      }
    } else {
      Elements.store(dstType, even, dst, offset, n);
    }
  }

  private void storeBf16(MemorySegment dst, long offset) {
    int pairs = n / 2;
    for (int i = 0; i < pairs; i++) {
      int first = Bf16.roundedBits(evenBits.get(Elements.INT, 4L * i));
      int second = Bf16.roundedBits(oddBits.get(Elements.INT, 4L * i));
      dst.set(Elements.INT, offset + 4L * i, (first >>> 16) | (second & UPPER));
    }
    if ((n & 1) == 1) {
      Elements.write(DType.BF16, dst, offset, n - 1L, even[pairs]);
    }
  }
}
