// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe;

/** How received rows are laid out for the experts of a rank. */
public enum ExpertLayout {
  /**
   * One row for each (token, local expert), grouped by expert, then source rank, then slot. Each
   * group begins at a multiple of the alignment.
   */
  EXPANDED,
  /**
   * One row for each token that names at least one local expert, in order of source rank, then
   * slot. The caller's kernel runs all local experts of a row and sums their weighted outputs.
   */
  ONE_ROW_PER_TOKEN
}
