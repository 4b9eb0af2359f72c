// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.layout;

import java.util.function.IntFunction;

/** Holds a buffer formula against a budget and says what would fit. Stateless. */
public final class MemoryBudget {
  private MemoryBudget() {}

  /**
   * Checks that {@code tokens} tokens per rank fit {@code budgetBytes}.
   *
   * @param formula the buffers for a number of tokens per rank; must not shrink as it grows
   * @throws IllegalArgumentException if they do not, naming the demand, the budget, and the largest
   *     number of tokens per rank that fits
   */
  public static void require(int tokens, IntFunction<BufferFormula> formula, long budgetBytes) {
    long demand = formula.apply(tokens).totalBytes();
    if (demand <= budgetBytes) {
      return;
    }
    int fit = largestThatFits(tokens, formula, budgetBytes);
    throw new IllegalArgumentException(
        "buffers for "
            + tokens
            + " tokens per rank need "
            + demand
            + " bytes, the memory budget is "
            + budgetBytes
            + " bytes: "
            + (fit == 0
                ? "not even one token per rank fits; raise the budget to at least "
                    + formula.apply(1).totalBytes()
                    + " bytes"
                : "at most " + fit + " tokens per rank fit")
            + ", or lower maxExpertRows, streams or hidden");
  }

  private static int largestThatFits(int tokens, IntFunction<BufferFormula> formula, long budget) {
    int fits = 0;
    int tooMany = tokens;
    while (tooMany - fits > 1) {
      int middle = fits + (tooMany - fits) / 2;
      if (formula.apply(middle).totalBytes() <= budget) {
        fits = middle;
      } else {
        tooMany = middle;
      }
    }
    return fits;
  }
}
