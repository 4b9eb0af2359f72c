// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.routing;

import java.util.Arrays;

/**
 * Every token names the same {@code topK} experts with the same weight {@code 1 / topK}: the worst
 * skew there is, and what an inference engine sends when it warms up on identical tokens. The seed
 * picks the experts.
 */
public record HotRouting(int experts, int topK) implements RoutingGenerator {
  /**
   * @throws IllegalArgumentException if the shape is not one that {@link Routing} allows
   */
  public HotRouting {
    RoutingChecks.requireShape(experts, topK);
  }

  @Override
  public Routing generate(int tokens, long seed) {
    int[] everyones = new UniformRouting(experts, topK).generate(1, seed).idsCopy();
    return new TokenChooser(experts, topK, seed) {
      @Override
      void choose() {
        System.arraycopy(everyones, 0, chosen, 0, topK);
        Arrays.fill(weight, 1f / topK);
      }
    }.generate(tokens);
  }
}
