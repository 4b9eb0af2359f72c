// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.routing;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Group-limited sigmoid gating as DeepSeek-V3 does it (DeepSeek-V3 Technical Report, section 2.1.2,
 * and the model's published gate), over random logits.
 *
 * <ol>
 *   <li>score = sigmoid(logit), logits normally distributed;
 *   <li>choice = score + bias, one small bias for each expert, drawn once from the seed: it takes
 *       the place of the learnt load-balancing correction;
 *   <li>a group's score is the sum of its two largest choices; the {@value #TOP_GROUPS} best of
 *       {@value #GROUPS} groups stay;
 *   <li>the {@value #TOP_K} largest choices in those groups are the token's experts;
 *   <li>a weight is the expert's score, without the bias, over the sum of the token's scores, times
 *       {@value #ROUTE_SCALE}.
 * </ol>
 *
 * <p>Lanes come in order of falling choice, so weights may be slightly out of order. The model
 * bounds nothing about ranks: a token reaches at most {@value #TOP_GROUPS} groups of {@value
 * #GROUP_EXPERTS} consecutive experts.
 */
public record DeepSeekV3Routing() implements RoutingGenerator {
  /** Routed experts of the model. */
  public static final int EXPERTS = 256;

  /** Lanes of each token. */
  public static final int TOP_K = 8;

  /** Groups of consecutive experts. */
  public static final int GROUPS = 8;

  /** Groups that a token may use. */
  public static final int TOP_GROUPS = 4;

  /** Experts of a group. */
  public static final int GROUP_EXPERTS = EXPERTS / GROUPS;

  /** What a token's weights sum to, up to rounding. */
  public static final float ROUTE_SCALE = 2.5f;

  private static final double BIAS_SPREAD = 0.02;

  /**
   * The same generator, for callers that have a shape to check against it.
   *
   * @throws IllegalArgumentException if the shape is not that of the model
   */
  public DeepSeekV3Routing(int experts, int topK) {
    this();
    if (experts != EXPERTS || topK != TOP_K) {
      throw new IllegalArgumentException(
          "routing 'deepseek-v3' has "
              + EXPERTS
              + " experts and top-"
              + TOP_K
              + ", not "
              + experts
              + " and top-"
              + topK
              + ": leave both out, or use uniform or zipf:S");
    }
  }

  @Override
  public int experts() {
    return EXPERTS;
  }

  @Override
  public int topK() {
    return TOP_K;
  }

  @Override
  public Routing generate(int tokens, long seed) {
    return new Gate(seed).generate(tokens);
  }

  private static final class Gate extends TokenChooser {
    private final double[] bias = new double[EXPERTS];
    private final double[] score = new double[EXPERTS];
    private final double[] choice = new double[EXPERTS];
    private final double[] groupScore = new double[GROUPS];
    private final int[] bestGroups = new int[TOP_GROUPS];
    private final boolean[] open = new boolean[GROUPS];

    Gate(long seed) {
      super(EXPERTS, TOP_K, seed);
      SplittableRandom biases = random.split();
      for (int e = 0; e < EXPERTS; e++) {
        bias[e] = BIAS_SPREAD * biases.nextDouble(-1, 1);
      }
    }

    @Override
    void choose() {
      for (int e = 0; e < EXPERTS; e++) {
        score[e] = 1.0 / (1.0 + StrictMath.exp(-random.nextGaussian()));
        choice[e] = score[e] + bias[e];
      }
      for (int g = 0; g < GROUPS; g++) {
        groupScore[g] = topTwo(g);
      }
      largest(groupScore, TOP_GROUPS, bestGroups);
      Arrays.fill(open, false);
      for (int g : bestGroups) {
        open[g] = true;
      }
      for (int e = 0; e < EXPERTS; e++) {
        if (!open[e / GROUP_EXPERTS]) {
          choice[e] = Double.NEGATIVE_INFINITY;
        }
      }
      largest(choice, TOP_K, chosen);
      double sum = 0;
      for (int e : chosen) {
        sum += score[e];
      }
      for (int k = 0; k < TOP_K; k++) {
        weight[k] = (float) (score[chosen[k]] / sum * ROUTE_SCALE);
      }
    }

    private double topTwo(int group) {
      double first = Double.NEGATIVE_INFINITY;
      double second = Double.NEGATIVE_INFINITY;
      for (int e = group * GROUP_EXPERTS; e < (group + 1) * GROUP_EXPERTS; e++) {
        if (choice[e] > first) {
          second = first;
          first = choice[e];
        } else if (choice[e] > second) {
          second = choice[e];
        }
      }
      return first + second;
    }
  }
}
