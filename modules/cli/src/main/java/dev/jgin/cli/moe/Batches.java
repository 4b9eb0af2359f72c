// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.moe;

import dev.jgin.moe.plan.Placement;
import dev.jgin.moe.routing.Routing;

/**
 * A routing cut into iterations, and those into ranks. Warm-up iterations come first and begin at
 * the same token as the timed ones. Immutable, safe to share.
 */
public final class Batches {
  private final Routing pool;
  private final int ranks;
  private final int perIteration;
  private final int warmup;
  private final int iterations;
  private final boolean once;

  private Batches(
      Routing pool, int ranks, int tokensPerRank, int warmup, int iterations, boolean once) {
    this.pool = pool;
    this.ranks = ranks;
    this.perIteration = Math.multiplyExact(ranks, tokensPerRank);
    this.warmup = warmup;
    this.iterations = iterations;
    this.once = once;
  }

  /** Every token of {@code pool} once; the last iteration may have fewer tokens. */
  public static Batches once(Routing pool, int ranks, int tokensPerRank, int warmup) {
    int iterations = (int) Math.ceilDiv(pool.tokens(), (long) ranks * tokensPerRank);
    return new Batches(pool, ranks, tokensPerRank, warmup, iterations, true);
  }

  /** {@code iterations} full iterations that read {@code pool} round and round. */
  public static Batches around(
      Routing pool, int ranks, int tokensPerRank, int warmup, int iterations) {
    return new Batches(pool, ranks, tokensPerRank, warmup, iterations, false);
  }

  /** Experts in all. */
  public int experts() {
    return pool.experts();
  }

  /** Lanes of a token. */
  public int topK() {
    return pool.topK();
  }

  /** Ranks in all. */
  public int ranks() {
    return ranks;
  }

  /** Most tokens of one rank in one iteration. */
  public int tokensPerRank() {
    return perIteration / ranks;
  }

  /** Iterations that are not timed. */
  public int warmup() {
    return warmup;
  }

  /** Iterations that are timed. */
  public int iterations() {
    return iterations;
  }

  /** Iterations in all. */
  public int count() {
    return warmup + iterations;
  }

  /** Tokens of all ranks in the timed iterations. */
  public long tokens() {
    return once ? pool.tokens() : (long) iterations * perIteration;
  }

  /** The tokens of all ranks in iteration {@code index}, warm-up first. */
  public Routing batch(int index) {
    if (index < warmup || !once) {
      return pool.window(index < warmup ? index : index - warmup, perIteration);
    }
    int from = (index - warmup) * perIteration;
    return pool.slice(from, Math.min(perIteration, pool.tokens() - from));
  }

  /** The tokens of {@code rank} in iteration {@code index}: as even a part as there is. */
  public Routing batch(int index, int rank) {
    Routing all = batch(index);
    int even = all.tokens() / ranks;
    int larger = all.tokens() % ranks;
    return all.slice(rank * even + Math.min(rank, larger), even + (rank < larger ? 1 : 0));
  }

  /**
   * The most expert rows, padding included, that any rank gets in any iteration: what the expert
   * buffers need, which is far less than the worst case of a routing nobody knows.
   */
  public long maxExpertRows(int alignment) {
    Placement placement = new Placement(experts(), ranks);
    long most = 1;
    for (int i = 0; i < count(); i++) {
      long[] loads = batch(i).loads();
      for (int rank = 0; rank < ranks; rank++) {
        long rows = 0;
        for (int e = placement.firstExpert(rank); e < placement.firstExpert(rank + 1); e++) {
          rows += Math.ceilDiv(loads[e], (long) alignment) * alignment;
        }
        most = Math.max(most, rows);
      }
    }
    return most;
  }

  /** Lanes that name each expert in the timed iterations. */
  public long[] loads() {
    long[] sum = new long[experts()];
    for (int i = warmup; i < count(); i++) {
      long[] loads = batch(i).loads();
      for (int e = 0; e < sum.length; e++) {
        sum[e] += loads[e];
      }
    }
    return sum;
  }
}
