// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.routing;

import java.util.Arrays;
import java.util.SplittableRandom;

/** Irregular batches made from regular ones: masked tokens and lanes, uneven ranks. Stateless. */
public final class RoutingVariants {
  private RoutingVariants() {}

  /**
   * The same routing with some lanes masked. A token is masked whole with probability {@code
   * tokenRatio}; each lane of the others is masked with probability {@code laneRatio}. Masked lanes
   * get weight 0.
   *
   * @throws IllegalArgumentException if a ratio is outside [0, 1]
   */
  public static Routing masked(Routing routing, double tokenRatio, double laneRatio, long seed) {
    requireRatio("tokens", tokenRatio);
    requireRatio("lanes", laneRatio);
    SplittableRandom random = new SplittableRandom(seed);
    int[] ids = routing.idsCopy();
    float[] weights = routing.weightsCopy();
    int topK = routing.topK();
    for (int t = 0; t < routing.tokens(); t++) {
      boolean whole = random.nextDouble() < tokenRatio;
      for (int i = t * topK; i < (t + 1) * topK; i++) {
        if (whole || random.nextDouble() < laneRatio) {
          ids[i] = Routing.MASKED;
          weights[i] = 0f;
        }
      }
    }
    return Routing.of(routing.experts(), topK, ids, weights);
  }

  /**
   * Token counts of {@code ranks} ranks, each at most {@code max}: with two ranks or more one has
   * none, and with {@code max >= 1} another has {@code max}. The seed picks which, and the others
   * at random.
   */
  public static int[] unevenTokens(int ranks, int max, long seed) {
    if (ranks < 1 || max < 0) {
      throw new IllegalArgumentException(
          "no uneven counts of " + max + " tokens over " + ranks + " ranks: need >= 0 and >= 1");
    }
    SplittableRandom random = new SplittableRandom(seed);
    int[] counts = new int[ranks];
    Arrays.setAll(counts, r -> random.nextInt(max + 1));
    int full = random.nextInt(ranks);
    counts[full] = max;
    if (ranks > 1) {
      counts[(full + 1 + random.nextInt(ranks - 1)) % ranks] = 0;
    }
    return counts;
  }

  private static void requireRatio(String what, double ratio) {
    if (!(ratio >= 0 && ratio <= 1)) {
      throw new IllegalArgumentException("ratio of masked " + what + " " + ratio + ": need 0 to 1");
    }
  }
}
