// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe;

import dev.jgin.moe.numeric.DType;
import dev.jgin.moe.numeric.ScaleFormat;
import dev.jgin.moe.routing.Routing;

/** The rules of {@link EpConfig}, and the sentences that say which one was broken. */
final class EpConfigRules {
  /** Rows that one array describes, with room to spare on every JVM. */
  static final long MAX_ROWS = Integer.MAX_VALUE - 64L;

  private static final int ROW_ALIGNMENT = 16;

  private EpConfigRules() {}

  record Shape(
      int experts, int topK, int hidden, DType dtype, ScaleFormat scales, DType combineDtype) {}

  record Layout(ExpertLayout layout, int alignment, CombineMode combine) {}

  static void require(Shape shape, Layout layout) {
    requireIn("experts", shape.experts, 1, Routing.MAX_EXPERTS);
    requireIn("topK", shape.topK, 1, Math.min(Routing.MAX_TOP_K, shape.experts));
    requirePositive("hidden", shape.hidden);
    requireWholeParts("dispatched", shape.hidden, shape.dtype);
    requireWholeParts("combined", shape.hidden, shape.combineDtype);
    if (shape.scales != ScaleFormat.NONE && shape.dtype != DType.FP8_E4M3) {
      throw new IllegalArgumentException(
          "scales " + shape.scales + " with " + shape.dtype.cliName() + ": only fp8 has scales");
    }
    if (shape.combineDtype == DType.FP8_E4M3) {
      throw new IllegalArgumentException(
          "combineDtype fp8: sums need more bits; combine in bf16, fp16 or fp32");
    }
    requireIn("expertAlignment", layout.alignment, 1, 1 << 20);
    if (layout.layout == ExpertLayout.ONE_ROW_PER_TOKEN) {
      requireOneRow(layout);
    }
  }

  private static void requireOneRow(Layout layout) {
    if (layout.combine == CombineMode.CANONICAL) {
      throw new IllegalArgumentException(
          "ONE_ROW_PER_TOKEN with CANONICAL: the caller sums a token's local experts before the"
              + " rows return, so their lanes can no longer be added in order; use REDUCED, or"
              + " EXPANDED");
    }
    if (layout.alignment != 1) {
      throw new IllegalArgumentException(
          "expertAlignment "
              + layout.alignment
              + " with ONE_ROW_PER_TOKEN: rows are not grouped by expert, so it must be 1");
    }
  }

  private static void requireWholeParts(String which, int hidden, DType dtype) {
    if (dtype.bytes(hidden) % ROW_ALIGNMENT != 0) {
      throw new IllegalArgumentException(
          "hidden "
              + hidden
              + ": a "
              + which
              + " row of "
              + dtype.cliName()
              + " has "
              + dtype.bytes(hidden)
              + " bytes, which is not a multiple of "
              + ROW_ALIGNMENT
              + "; use a multiple of "
              + ROW_ALIGNMENT / dtype.bytes()
              + " elements");
    }
  }

  static void requirePositive(String name, long value) {
    if (value < 1) {
      throw new IllegalArgumentException(name + " = " + value + ": it must be at least 1");
    }
  }

  static void requireIn(String name, long value, long least, long most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          name + " = " + value + ": it must be in " + least + ".." + most);
    }
  }
}
