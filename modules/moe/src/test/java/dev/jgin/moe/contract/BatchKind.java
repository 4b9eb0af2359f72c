// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.contract;

import dev.jgin.moe.routing.HotRouting;
import dev.jgin.moe.routing.Routing;
import dev.jgin.moe.routing.RoutingVariants;
import dev.jgin.moe.routing.UniformRouting;
import dev.jgin.moe.routing.ZipfRouting;

/** Kinds of routing that the suite draws, each rank and epoch another one. */
public enum BatchKind {
  /** Every rank its full number of tokens, experts at random. */
  UNIFORM,
  /** Some tokens masked, and some lanes of others. */
  MASKED,
  /** Token counts that differ by rank, one of them 0. */
  UNEVEN,
  /** Every token of every rank to the same experts. */
  HOT,
  /** A few experts take most tokens. */
  ZIPF,
  /** Another rank without tokens each epoch. */
  IDLE_RANK,
  /** No rank has tokens in odd epochs. */
  ALL_IDLE;

  /** The routing of one rank. */
  public Routing routing(
      int experts, int topK, int ranks, int tokens, int rank, int epoch, long seed) {
    UniformRouting uniform = new UniformRouting(experts, topK);
    long shared = mix(seed, epoch);
    long own = mix(shared, rank);
    return switch (this) {
      case UNIFORM -> uniform.generate(tokens, own);
      case MASKED -> RoutingVariants.masked(uniform.generate(tokens, own), .2, .3, own);
      case UNEVEN ->
          uniform.generate(RoutingVariants.unevenTokens(ranks, tokens, shared)[rank], own);
      case HOT -> new HotRouting(experts, topK).generate(tokens, shared);
      case ZIPF -> new ZipfRouting(experts, topK, 1.5).generate(tokens, own);
      case IDLE_RANK -> uniform.generate(rank == epoch % ranks ? 0 : tokens, own);
      case ALL_IDLE -> uniform.generate(epoch % 2 == 1 ? 0 : tokens, own);
    };
  }

  static long mix(long seed, long value) {
    long z = seed * 0x9E37_79B9_7F4A_7C15L + value + 1;
    z = (z ^ (z >>> 30)) * 0xBF58_476D_1CE4_E5B9L;
    return z ^ (z >>> 27);
  }
}
