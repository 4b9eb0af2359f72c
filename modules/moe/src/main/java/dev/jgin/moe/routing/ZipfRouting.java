// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.routing;

/**
 * Expert {@code e} is drawn with a probability proportional to {@code 1 / (e + 1)^exponent}; a
 * token draws until it has {@code topK} different ones. Expert 0 is the most loaded, so the first
 * ranks carry the most: the skew is not spread over ranks. Weights are random and sum to 1.
 *
 * @param exponent 0 is uniform; real routers look like 0.3 to 1.2
 */
public record ZipfRouting(int experts, int topK, double exponent) implements RoutingGenerator {
  /** The largest exponent: beyond it the tail's logarithms say nothing new. */
  public static final double MAX_EXPONENT = 16;

  /**
   * @throws IllegalArgumentException if the shape is not one that {@link Routing} allows, or the
   *     exponent is outside [0, {@value #MAX_EXPONENT}]
   */
  public ZipfRouting {
    RoutingChecks.requireShape(experts, topK);
    if (!(exponent >= 0 && exponent <= MAX_EXPONENT)) {
      throw new IllegalArgumentException(
          "zipf exponent " + exponent + ": need 0 to " + MAX_EXPONENT);
    }
  }

  @Override
  public Routing generate(int tokens, long seed) {
    double[] logOdds = new double[experts];
    for (int e = 0; e < experts; e++) {
      logOdds[e] = -exponent * StrictMath.log(e + 1.0);
    }
    double[] keys = new double[experts];
    return new TokenChooser(experts, topK, seed) {
      @Override
      void choose() {
        // Gumbel top-k: the k largest of log p + Gumbel noise are k draws without replacement,
        // at a cost that does not grow with the skew. StrictMath: the same bits everywhere.
        for (int e = 0; e < experts; e++) {
          double uniform = 1.0 - random.nextDouble();
          keys[e] = logOdds[e] - StrictMath.log(-StrictMath.log(uniform * ALMOST_ONE));
        }
        largest(keys, topK, chosen);
        drawWeights();
      }
    }.generate(tokens);
  }

  /** Keeps the inner logarithm away from zero. */
  private static final double ALMOST_ONE = Math.nextDown(1.0);
}
