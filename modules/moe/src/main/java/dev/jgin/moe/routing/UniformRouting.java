// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.routing;

/**
 * Each token names {@code topK} different experts, every set and order equally likely, with random
 * weights that sum to 1.
 */
public record UniformRouting(int experts, int topK) implements RoutingGenerator {
  /**
   * @throws IllegalArgumentException if the shape is not one that {@link Routing} allows
   */
  public UniformRouting {
    RoutingChecks.requireShape(experts, topK);
  }

  @Override
  public Routing generate(int tokens, long seed) {
    int[] deck = new int[experts];
    for (int e = 0; e < experts; e++) {
      deck[e] = e;
    }
    return new TokenChooser(experts, topK, seed) {
      @Override
      void choose() {
        for (int k = 0; k < topK; k++) {
          int other = random.nextInt(k, experts);
          int drawn = deck[other];
          deck[other] = deck[k];
          deck[k] = drawn;
          chosen[k] = drawn;
        }
        drawWeights();
      }
    }.generate(tokens);
  }
}
