// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.plan;

/**
 * Which rank owns which expert: rank {@code r} of {@code R} owns the contiguous block {@code [r * E
 * / R, (r + 1) * E / R)} of {@code E} experts, in integer division. Blocks differ by at most one
 * expert; with fewer experts than ranks some are empty. Immutable.
 */
public final class Placement {
  /** The largest number of experts. */
  public static final int MAX_EXPERTS = 2048;

  /** The largest number of ranks. */
  public static final int MAX_RANKS = 1024;

  private final int experts;
  private final int ranks;
  private final int[] owner;

  /**
   * Places {@code experts} experts on {@code ranks} ranks.
   *
   * @throws IllegalArgumentException if either is below 1 or above its limit
   */
  public Placement(int experts, int ranks) {
    if (experts < 1 || experts > MAX_EXPERTS) {
      throw new IllegalArgumentException(experts + " experts: need 1 to " + MAX_EXPERTS);
    }
    if (ranks < 1 || ranks > MAX_RANKS) {
      throw new IllegalArgumentException(ranks + " ranks: need 1 to " + MAX_RANKS);
    }
    this.experts = experts;
    this.ranks = ranks;
    this.owner = new int[experts];
    for (int r = 0; r < ranks; r++) {
      for (int e = firstExpert(r); e < firstExpert(r + 1); e++) {
        owner[e] = r;
      }
    }
  }

  /** Experts in all. */
  public int experts() {
    return experts;
  }

  /** Ranks in all. */
  public int ranks() {
    return ranks;
  }

  /** The first expert of {@code rank}; for {@code rank == ranks()} the number of experts. */
  public int firstExpert(int rank) {
    return (int) ((long) rank * experts / ranks);
  }

  /** How many experts {@code rank} owns; may be 0. */
  public int localExperts(int rank) {
    return firstExpert(rank + 1) - firstExpert(rank);
  }

  /** The largest number of experts that any rank owns. */
  public int maxLocalExperts() {
    return Math.ceilDiv(experts, ranks);
  }

  /** The rank that owns {@code expert}. */
  public int owner(int expert) {
    return owner[expert];
  }
}
