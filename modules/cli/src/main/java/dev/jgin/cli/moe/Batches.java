// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.moe;

import dev.jgin.moe.plan.Placement;
import dev.jgin.moe.routing.Routing;
import dev.jgin.moe.routing.RoutingVariants;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;

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
  private final OptionalLong unevenSeed;

  private Batches(
      Routing pool,
      int ranks,
      int tokensPerRank,
      int warmup,
      int iterations,
      boolean once,
      OptionalLong unevenSeed) {
    this.pool = pool;
    this.ranks = ranks;
    this.perIteration = Math.multiplyExact(ranks, tokensPerRank);
    this.warmup = warmup;
    this.iterations = iterations;
    this.once = once;
    this.unevenSeed = unevenSeed;
  }

  /** Every token of {@code pool} once; the last iteration may have fewer tokens. */
  public static Batches once(Routing pool, int ranks, int tokensPerRank, int warmup) {
    int iterations = (int) Math.ceilDiv(pool.tokens(), (long) ranks * tokensPerRank);
    return new Batches(pool, ranks, tokensPerRank, warmup, iterations, true, OptionalLong.empty());
  }

  /** {@code iterations} full iterations that read {@code pool} round and round. */
  public static Batches around(
      Routing pool, int ranks, int tokensPerRank, int warmup, int iterations) {
    return new Batches(pool, ranks, tokensPerRank, warmup, iterations, false, OptionalLong.empty());
  }

  /**
   * The same batches with {@code ratio} of the tokens masked, and of the lanes of the others.
   *
   * @throws IllegalArgumentException if {@code ratio} is not in 0..1
   */
  public Batches masked(double ratio, long seed) {
    Routing masked = RoutingVariants.masked(pool, ratio, ratio, seed);
    return new Batches(masked, ranks, tokensPerRank(), warmup, iterations, once, unevenSeed);
  }

  /**
   * The same batches cut unevenly: in each iteration one rank has no token and another the most.
   *
   * @throws IllegalArgumentException if every token is to be used once
   */
  public Batches uneven(long seed) {
    if (once) {
      throw new IllegalArgumentException("uneven batches leave tokens out: give --iterations too");
    }
    return new Batches(
        pool, ranks, tokensPerRank(), warmup, iterations, false, OptionalLong.of(seed));
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
    if (unevenSeed.isEmpty()) {
      return once ? pool.tokens() : (long) iterations * perIteration;
    }
    long sum = 0;
    for (int i = warmup; i < count(); i++) {
      sum += Arrays.stream(counts(i)).sum();
    }
    return sum;
  }

  /** Tokens of each rank in iteration {@code index}. */
  private int[] counts(int index) {
    if (unevenSeed.isPresent()) {
      long seed = unevenSeed.getAsLong() + index;
      return RoutingVariants.unevenTokens(ranks, tokensPerRank(), seed);
    }
    int all = perIteration;
    if (once && index >= warmup) {
      all = Math.min(perIteration, pool.tokens() - (index - warmup) * perIteration);
    }
    int[] counts = new int[ranks];
    for (int rank = 0; rank < ranks; rank++) {
      counts[rank] = all / ranks + (rank < all % ranks ? 1 : 0);
    }
    return counts;
  }

  /** The tokens of all ranks in iteration {@code index}, warm-up first. */
  public Routing batch(int index) {
    int tokens = Arrays.stream(counts(index)).sum();
    if (index < warmup || !once) {
      return pool.window(index < warmup ? index : index - warmup, perIteration).slice(0, tokens);
    }
    return pool.slice((index - warmup) * perIteration, tokens);
  }

  /** The tokens of each rank in iteration {@code index}. */
  public List<Routing> parts(int index) {
    return Routing.split(batch(index), counts(index));
  }

  /** The tokens of {@code rank} in iteration {@code index}. */
  public Routing batch(int index, int rank) {
    int[] counts = counts(index);
    int from = Arrays.stream(counts, 0, rank).sum();
    return batch(index).slice(from, counts[rank]);
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
