// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe;

import dev.jgin.moe.plan.Placement;

/**
 * How many rows one rank needs room for: what follows from a configuration and the number of ranks,
 * whatever engine runs it. Immutable.
 *
 * @param placement which rank owns which expert
 * @param lanes rows that return for one token, at most: top-k (CANONICAL), or no more than there
 *     are ranks (REDUCED)
 * @param expertRows room for expert rows; one-row-per-token: for received rows. Equal on every rank
 * @param receivedRows room for received rows, deduplicated by rank. Equal on every rank
 */
public record EpSizes(Placement placement, int lanes, int expertRows, int receivedRows) {

  /**
   * The sizes.
   *
   * @throws IllegalArgumentException if there are more ranks than {@value Placement#MAX_RANKS}, or
   *     more rows than an array describes
   */
  public static EpSizes of(EpConfig config, int ranks) {
    Placement placement = new Placement(config.experts(), ranks);
    long worst = worstExpertRows(config, placement, config.maxTokensPerRank());
    if (config.maxExpertRows() == 0 && worst > EpConfigRules.MAX_ROWS) {
      throw new IllegalArgumentException(
          "the worst case of "
              + worst
              + " expert rows exceeds "
              + EpConfigRules.MAX_ROWS
              + ": set maxExpertRows, or lower maxTokensPerRank");
    }
    long rows = expertRows(config, placement, config.maxTokensPerRank());
    long lanes = rows * config.topK();
    if (config.layout() == ExpertLayout.ONE_ROW_PER_TOKEN && lanes > EpConfigRules.MAX_ROWS) {
      throw new IllegalArgumentException(
          rows
              + " received rows of top-"
              + config.topK()
              + " have "
              + lanes
              + " lanes, more than "
              + EpConfigRules.MAX_ROWS
              + ": lower maxExpertRows or maxTokensPerRank");
    }
    return new EpSizes(
        placement,
        config.combine() == CombineMode.CANONICAL ? config.topK() : Math.min(config.topK(), ranks),
        (int) rows,
        (int) Math.min(rows, (long) ranks * config.maxTokensPerRank()));
  }

  // Equal on every rank, as symmetric windows must be: by the rank that owns most experts.
  static long expertRows(EpConfig config, Placement placement, long tokensPerRank) {
    return config.maxExpertRows() != 0
        ? config.maxExpertRows()
        : worstExpertRows(config, placement, tokensPerRank);
  }

  private static long worstExpertRows(EpConfig config, Placement placement, long tokens) {
    long received = placement.ranks() * tokens;
    if (config.layout() == ExpertLayout.ONE_ROW_PER_TOKEN) {
      return received;
    }
    long local = placement.maxLocalExperts();
    return received * Math.min(config.topK(), local) + (config.expertAlignment() - 1) * local;
  }
}
