// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe;

import dev.jgin.moe.layout.CombineLayout;
import dev.jgin.moe.numeric.DType;
import dev.jgin.moe.numeric.Elements;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Adds weighted rows in FP32 and rounds the sum once. Works through a row in blocks that stay in
 * the nearest cache, all rows for one block, so each element is still added in row order.
 */
final class PartialSums {
  private static final int BLOCK = 1024;

  private final DType dtype;
  private final int hidden;
  private final float[] sum;
  private final long[] at;
  private final float[] weight;
  private int rows;

  /** Sums of up to {@code maxRows} rows. */
  PartialSums(DType dtype, int hidden, int maxRows) {
    this.dtype = dtype;
    this.hidden = hidden;
    this.sum = new float[Math.min(BLOCK, hidden)];
    this.at = new long[maxRows];
    this.weight = new float[maxRows];
  }

  /** Begins a sum. */
  void begin() {
    rows = 0;
  }

  /** Adds the returned row that begins at {@code offset}, times {@code factor}. */
  void add(long offset, float factor) {
    at[rows] = offset + CombineLayout.PAYLOAD;
    weight[rows++] = factor;
  }

  /** Sums the rows of {@code from} into the {@code hidden} elements at {@code offset}. */
  void store(MemorySegment from, MemorySegment to, long offset) {
    for (int first = 0; first < hidden; first += BLOCK) {
      int n = Math.min(BLOCK, hidden - first);
      long skip = dtype.bytes() * first;
      Arrays.fill(sum, 0, n, 0f);
      for (int r = 0; r < rows; r++) {
        Elements.accumulate(dtype, from, at[r] + skip, sum, n, weight[r]);
      }
      Elements.store(dtype, sum, to, offset + skip, n);
    }
  }
}
