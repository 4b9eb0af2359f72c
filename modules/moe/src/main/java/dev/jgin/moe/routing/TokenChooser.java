// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.routing;

import java.util.SplittableRandom;

/** The loop that all generators share: token after token from one stream of random numbers. */
abstract class TokenChooser {
  final int experts;
  final int topK;
  final SplittableRandom random;

  /** The ids and weights of the token being chosen. */
  final int[] chosen;

  final float[] weight;

  TokenChooser(int experts, int topK, long seed) {
    this.experts = experts;
    this.topK = topK;
    this.random = new SplittableRandom(seed);
    this.chosen = new int[topK];
    this.weight = new float[topK];
  }

  /** Fills {@link #chosen} and {@link #weight} for the next token. */
  abstract void choose();

  final Routing generate(int tokens) {
    RoutingChecks.requireTokens(tokens, topK);
    int[] ids = new int[tokens * topK];
    float[] weights = new float[tokens * topK];
    for (int t = 0; t < tokens; t++) {
      choose();
      System.arraycopy(chosen, 0, ids, t * topK, topK);
      System.arraycopy(weight, 0, weights, t * topK, topK);
    }
    return Routing.of(experts, topK, ids, weights);
  }

  /** Positive random weights that sum to 1 up to rounding, largest first. */
  final void drawWeights() {
    float sum = 0f;
    for (int k = 0; k < topK; k++) {
      float drawn = (float) (1.0 - random.nextDouble());
      sum += drawn;
      int at = k;
      for (; at > 0 && weight[at - 1] < drawn; at--) {
        weight[at] = weight[at - 1];
      }
      weight[at] = drawn;
    }
    for (int k = 0; k < topK; k++) {
      weight[k] /= sum;
    }
  }

  /**
   * Writes the indices of the {@code count} largest of {@code scores} to {@code best}, largest
   * first; of equal scores the lower index wins. NaN is never chosen before a number.
   */
  static void largest(double[] scores, int count, int[] best) {
    int filled = 0;
    for (int i = 0; i < scores.length; i++) {
      if (filled == count && !(scores[i] > scores[best[count - 1]])) {
        continue;
      }
      int at = filled < count ? filled++ : count - 1;
      for (; at > 0 && scores[best[at - 1]] < scores[i]; at--) {
        best[at] = best[at - 1];
      }
      best[at] = i;
    }
  }
}
