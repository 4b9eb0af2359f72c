// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe;

/**
 * How the outputs of a token's experts become one row.
 *
 * <p>Sums are taken in FP32; each product is rounded before it is added (never fused); a sum begins
 * at +0; the result is rounded once to the combine type, to nearest, ties to even.
 */
public enum CombineMode {
  /**
   * Every lane's row returns; the token's rank adds {@code weight * row} in ascending lane order.
   * The same bits at every number of ranks.
   */
  CANONICAL,
  /**
   * Each rank adds {@code weight * row} of its own lanes in ascending lane order and rounds the
   * partial sum to the combine type; the token's rank adds the partial sums in order of each rank's
   * first lane. Fewer bytes on the wire; the bits depend on which experts share a rank.
   */
  REDUCED
}
