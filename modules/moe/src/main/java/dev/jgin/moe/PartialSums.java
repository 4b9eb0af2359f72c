// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe;

import dev.jgin.moe.layout.CombineLayout;
import dev.jgin.moe.numeric.DType;
import dev.jgin.moe.numeric.RowAccumulator;
import java.lang.foreign.MemorySegment;

/**
 * Adds weighted rows in FP32 and rounds the sum once. Works through the rows block by block, all
 * rows for one block, so that the sum stays in the nearest cache; each element is still added in
 * row order.
 */
final class PartialSums {
  private static final int BLOCK = 2048;

  private final DType dtype;
  private final int hidden;
  private final RowAccumulator block;
  private final long[] at;
  private final float[] weight;
  private int rows;

  /** Sums of up to {@code maxRows} rows. */
  PartialSums(DType dtype, int hidden, int maxRows) {
    this.dtype = dtype;
    this.hidden = hidden;
    this.block = new RowAccumulator(dtype, Math.min(BLOCK, hidden));
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
      block.clear(n);
      for (int r = 0; r < rows; r++) {
        block.add(from, at[r] + skip, weight[r]);
      }
      block.store(dtype, to, offset + skip);
    }
  }
}
