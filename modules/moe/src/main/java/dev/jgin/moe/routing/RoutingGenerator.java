// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.routing;

/**
 * Makes up a routing. Deterministic: the same generator, token count and seed give the same routing
 * on every machine, and a longer routing begins with the tokens of a shorter one.
 *
 * <p>Lanes come in order of falling weight, as routers write them. Implementations are immutable.
 */
public sealed interface RoutingGenerator
    permits UniformRouting, ZipfRouting, HotRouting, DeepSeekV3Routing {

  /** The number of experts to choose from. */
  int experts();

  /** Lanes of each token. */
  int topK();

  /**
   * A routing of {@code tokens} tokens without masked lanes.
   *
   * @throws IllegalArgumentException if {@code tokens} is negative or too many for one routing
   */
  Routing generate(int tokens, long seed);

  /**
   * The generator that {@code spec} names: {@code uniform}, {@code zipf:S}, {@code hot} or {@code
   * deepseek-v3}.
   *
   * @param experts experts to choose from; {@code deepseek-v3} accepts only {@value
   *     DeepSeekV3Routing#EXPERTS}
   * @param topK lanes of each token; {@code deepseek-v3} accepts only {@value
   *     DeepSeekV3Routing#TOP_K}
   * @throws IllegalArgumentException naming the value and what is accepted
   */
  static RoutingGenerator parse(String spec, int experts, int topK) {
    int colon = spec.indexOf(':');
    String name = colon < 0 ? spec : spec.substring(0, colon);
    String argument = colon < 0 ? null : spec.substring(colon + 1);
    if (argument != null && !name.equals("zipf")) {
      throw unknown(spec);
    }
    return switch (name) {
      case "uniform" -> new UniformRouting(experts, topK);
      case "zipf" -> new ZipfRouting(experts, topK, exponent(spec, argument));
      case "hot" -> new HotRouting(experts, topK);
      case "deepseek-v3" -> new DeepSeekV3Routing(experts, topK);
      default -> throw unknown(spec);
    };
  }

  private static double exponent(String spec, String argument) {
    try {
      if (argument != null) {
        return Double.parseDouble(argument);
      }
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "routing '" + spec + "': '" + argument + "' is not a number; write for example zipf:1.2",
          e);
    }
    throw new IllegalArgumentException(
        "routing 'zipf' needs an exponent; write for example zipf:1.2");
  }

  private static IllegalArgumentException unknown(String spec) {
    return new IllegalArgumentException(
        "unknown routing '" + spec + "': use uniform, zipf:S, hot or deepseek-v3");
  }
}
