// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.routing;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The top-k experts and weights of a batch of tokens. Immutable, safe to share between threads.
 *
 * <p>A lane is one of the {@code topK} choices of a token. A lane with id {@link #MASKED} sends
 * nothing and its weight is ignored; a token whose lanes are all masked takes part in nothing. No
 * token names an expert twice. Weights are finite; they need not sum to anything.
 */
public final class Routing {
  /** The id of a lane that goes nowhere. */
  public static final int MASKED = -1;

  /** The largest number of experts. */
  public static final int MAX_EXPERTS = 2048;

  /** The largest number of lanes of a token. */
  public static final int MAX_TOP_K = 32;

  private final int tokens;
  private final int topK;
  private final int experts;
  private final int[] ids;
  private final float[] weights;
  private final int base;

  private Routing(int tokens, int topK, int experts, int[] ids, float[] weights, int base) {
    this.tokens = tokens;
    this.topK = topK;
    this.experts = experts;
    this.ids = ids;
    this.weights = weights;
    this.base = base;
  }

  /**
   * A checked routing of {@code ids.length / topK} tokens; lane {@code k} of token {@code t} is at
   * {@code t * topK + k} of both arrays, which are copied.
   *
   * @throws IllegalArgumentException naming the token, lane, value and limit, if a limit is
   *     exceeded, an id is outside {@code [-1, experts)}, a token names an expert twice, or a
   *     weight is not finite
   */
  public static Routing of(int experts, int topK, int[] ids, float[] weights) {
    RoutingChecks.requireShape(experts, topK, ids.length, weights.length);
    int[] ownIds = ids.clone();
    float[] ownWeights = weights.clone();
    RoutingChecks.requireLanes(experts, topK, ownIds, ownWeights);
    return new Routing(ownIds.length / topK, topK, experts, ownIds, ownWeights, 0);
  }

  /** Tokens in the batch; may be 0. */
  public int tokens() {
    return tokens;
  }

  /** Lanes of each token. */
  public int topK() {
    return topK;
  }

  /** The number of experts; ids are below it. */
  public int experts() {
    return experts;
  }

  /** The expert of lane {@code lane} of token {@code token}, or {@link #MASKED}. */
  public int id(int token, int lane) {
    return ids[index(token, lane)];
  }

  /** The weight of lane {@code lane} of token {@code token}; means nothing if it is masked. */
  public float weight(int token, int lane) {
    return weights[index(token, lane)];
  }

  /** A new array of all ids, token-major: {@code tokens * topK}. */
  public int[] idsCopy() {
    return Arrays.copyOfRange(ids, base, base + tokens * topK);
  }

  /** A new array of all weights, token-major: {@code tokens * topK}. */
  public float[] weightsCopy() {
    return Arrays.copyOfRange(weights, base, base + tokens * topK);
  }

  /** A view of {@code count} tokens that begin at {@code fromToken}; nothing is copied. */
  public Routing slice(int fromToken, int count) {
    if (fromToken < 0 || count < 0 || fromToken > tokens - count) {
      throw new IndexOutOfBoundsException(
          "tokens " + fromToken + " + " + count + " leave a routing of " + tokens + " tokens");
    }
    return new Routing(count, topK, experts, ids, weights, base + fromToken * topK);
  }

  /** How many lanes go to each expert: {@code experts} counts. */
  public long[] loads() {
    long[] loads = new long[experts];
    for (int i = base; i < base + tokens * topK; i++) {
      if (ids[i] != MASKED) {
        loads[ids[i]]++;
      }
    }
    return loads;
  }

  /**
   * {@code ranks} contiguous views in token order, as even as possible: the first {@code tokens %
   * ranks} ranks get one token more.
   */
  public static List<Routing> split(Routing routing, int ranks) {
    if (ranks < 1) {
      throw new IllegalArgumentException("cannot split tokens over " + ranks + " ranks: need >= 1");
    }
    int[] counts = new int[ranks];
    for (int r = 0; r < ranks; r++) {
      counts[r] = routing.tokens / ranks + (r < routing.tokens % ranks ? 1 : 0);
    }
    return split(routing, counts);
  }

  /**
   * Contiguous views in token order, one for each entry of {@code tokensPerRank}; an entry may be
   * 0.
   *
   * @throws IllegalArgumentException if the entries do not sum to {@code routing.tokens()}
   */
  public static List<Routing> split(Routing routing, int[] tokensPerRank) {
    long sum = Arrays.stream(tokensPerRank).asLongStream().sum();
    if (sum != routing.tokens) {
      throw new IllegalArgumentException(
          "tokens per rank sum to " + sum + ", the routing has " + routing.tokens);
    }
    List<Routing> parts = new ArrayList<>(tokensPerRank.length);
    int from = 0;
    for (int count : tokensPerRank) {
      parts.add(routing.slice(from, count));
      from += count;
    }
    return parts;
  }

  /**
   * The {@code count} tokens of iteration {@code iteration} when this routing is read round and
   * round: those at {@code (iteration * count + i) mod tokens()}. A view unless it wraps around.
   *
   * @throws IllegalArgumentException if tokens are asked of an empty routing, or {@code count *
   *     topK} lanes exceed an array
   */
  public Routing window(long iteration, int count) {
    if (count == 0) {
      return slice(0, 0);
    }
    if (tokens == 0
        || count < 0
        || iteration < 0
        || (long) count * topK > RoutingChecks.MAX_LANES) {
      throw new IllegalArgumentException(
          ("no window of %d tokens, iteration %d, in a routing of %d tokens x top-%d: need a"
                  + " non-empty routing, a non-negative iteration and at most %d lanes")
              .formatted(count, iteration, tokens, topK, RoutingChecks.MAX_LANES));
    }
    int from = Math.toIntExact((iteration % tokens) * count % tokens);
    if (from + (long) count <= tokens) {
      return slice(from, count);
    }
    int[] wrappedIds = new int[count * topK];
    float[] wrappedWeights = new float[count * topK];
    int filled = 0;
    while (filled < count) {
      int run = Math.min(count - filled, tokens - from);
      System.arraycopy(ids, base + from * topK, wrappedIds, filled * topK, run * topK);
      System.arraycopy(weights, base + from * topK, wrappedWeights, filled * topK, run * topK);
      filled += run;
      from = 0;
    }
    return new Routing(count, topK, experts, wrappedIds, wrappedWeights, 0);
  }

  private int index(int token, int lane) {
    if (token < 0 || token >= tokens || lane < 0 || lane >= topK) {
      throw new IndexOutOfBoundsException(
          "token " + token + ", lane " + lane + " of " + tokens + " tokens x top-" + topK);
    }
    return base + token * topK + lane;
  }

  @Override
  public String toString() {
    return "Routing[tokens=" + tokens + ", topK=" + topK + ", experts=" + experts + "]";
  }
}
