// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.plan;

import dev.jgin.moe.routing.Routing;
import java.util.Arrays;

/**
 * What one rank sends: one entry for each pair (token, destination rank), however many of the
 * token's lanes the destination owns.
 *
 * <p>Entries are in order of token, then of the destination's first lane. The slot of an entry is
 * the number of earlier entries with the same destination, so each destination sees slots {@code 0,
 * 1, 2, …} with tokens strictly ascending. Masked lanes make no entry.
 *
 * <p>Reusable: {@link #plan} overwrites the plan in place and allocates nothing. One thread at a
 * time.
 */
public final class SendPlan {
  private static final int NONE = -1;

  private final Placement placement;
  private final int maxTokens;
  private final int topK;
  private final int[] ids;
  private final float[] weights;
  private final int[] tokenStart;
  private final int[] entryToken;
  private final int[] entryRank;
  private final int[] entrySlot;
  private final int[] entryLane;
  private final int[] entryNext;
  private final int[] rankRows;
  private final int[] rankHead;
  private final int[] rankTail;
  private final int[] rankToken;
  private final int[] expertRows;
  private int tokens;

  /**
   * A plan of no tokens with room for {@code maxTokens} of {@code topK} lanes.
   *
   * @throws IllegalArgumentException if the lanes do not fit an array
   */
  public SendPlan(Placement placement, int maxTokens, int topK) {
    long lanes = (long) maxTokens * topK;
    if (maxTokens < 1 || topK < 1 || lanes > Integer.MAX_VALUE - 64) {
      throw new IllegalArgumentException(
          maxTokens
              + " tokens x top-"
              + topK
              + ": need at least one of each and at most "
              + (Integer.MAX_VALUE - 64)
              + " lanes");
    }
    this.placement = placement;
    this.maxTokens = maxTokens;
    this.topK = topK;
    this.ids = new int[(int) lanes];
    this.weights = new float[(int) lanes];
    this.tokenStart = new int[maxTokens + 1];
    int entries = maxTokens * Math.min(topK, placement.ranks());
    this.entryToken = new int[entries];
    this.entryRank = new int[entries];
    this.entrySlot = new int[entries];
    this.entryLane = new int[entries];
    this.entryNext = new int[entries];
    this.rankRows = new int[placement.ranks()];
    this.rankHead = new int[placement.ranks()];
    this.rankTail = new int[placement.ranks()];
    this.rankToken = new int[placement.ranks()];
    this.expertRows = new int[placement.experts()];
    Arrays.fill(rankHead, NONE);
  }

  /**
   * Plans {@code routing}, whose arrays are copied.
   *
   * @throws IllegalArgumentException if it has another top-k or number of experts, or too many
   *     tokens
   */
  public void plan(Routing routing) {
    if (routing.topK() != topK || routing.experts() != placement.experts()) {
      throw new IllegalArgumentException(
          routing
              + " does not fit: configured are top-"
              + topK
              + " of "
              + placement.experts()
              + " experts");
    }
    if (routing.tokens() > maxTokens) {
      throw new IllegalArgumentException(
          routing.tokens()
              + " tokens on one rank: configured are at most "
              + maxTokens
              + "; send fewer or raise maxTokensPerRank");
    }
    Arrays.fill(rankRows, 0);
    Arrays.fill(rankHead, NONE);
    Arrays.fill(rankToken, NONE);
    Arrays.fill(expertRows, 0);
    tokens = routing.tokens();
    int entry = 0;
    for (int t = 0; t < tokens; t++) {
      tokenStart[t] = entry;
      for (int k = 0; k < topK; k++) {
        int id = routing.id(t, k);
        ids[t * topK + k] = id;
        weights[t * topK + k] = routing.weight(t, k);
        if (id != Routing.MASKED) {
          expertRows[id]++;
          int rank = placement.owner(id);
          if (rankToken[rank] != t) {
            rankToken[rank] = t;
            add(entry++, t, rank, k);
          }
        }
      }
    }
    tokenStart[tokens] = entry;
  }

  private void add(int entry, int token, int rank, int lane) {
    entryLane[entry] = lane;
    entryToken[entry] = token;
    entryRank[entry] = rank;
    entrySlot[entry] = rankRows[rank]++;
    entryNext[entry] = NONE;
    if (rankHead[rank] == NONE) {
      rankHead[rank] = entry;
    } else {
      entryNext[rankTail[rank]] = entry;
    }
    rankTail[rank] = entry;
  }

  /** Tokens planned. */
  public int tokens() {
    return tokens;
  }

  /** Lanes of each token. */
  public int topK() {
    return topK;
  }

  /** Entries in all: the rows that leave this rank. */
  public int entries() {
    return tokenStart[tokens];
  }

  /** The first entry of {@code token}; for {@code token == tokens()} the number of entries. */
  public int firstEntry(int token) {
    return tokenStart[token];
  }

  /** The destination of an entry. */
  public int rank(int entry) {
    return entryRank[entry];
  }

  /** The slot of an entry at its destination. */
  public int slot(int entry) {
    return entrySlot[entry];
  }

  /** Rows sent to {@code rank}. */
  public int rows(int rank) {
    return rankRows[rank];
  }

  /** The first entry for {@code rank}, or -1. */
  public int firstEntryOf(int rank) {
    return rankHead[rank];
  }

  /** The next entry with the same destination, or -1. */
  public int nextEntry(int entry) {
    return entryNext[entry];
  }

  /** The first lane of an entry's token that its destination owns. */
  public int firstLane(int entry) {
    return entryLane[entry];
  }

  /** The token of an entry. */
  public int token(int entry) {
    return entryToken[entry];
  }

  /** Lanes that name {@code expert}. */
  public int expertRows(int expert) {
    return expertRows[expert];
  }

  /** The expert of a lane, or {@link Routing#MASKED}. */
  public int id(int token, int lane) {
    return ids[token * topK + lane];
  }

  /** The weight of a lane; means nothing if it is masked. */
  public float weight(int token, int lane) {
    return weights[token * topK + lane];
  }
}
