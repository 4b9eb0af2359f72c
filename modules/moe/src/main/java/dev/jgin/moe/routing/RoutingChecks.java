// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.routing;

/** The rules that a routing obeys, and the sentences that say which one was broken. */
final class RoutingChecks {
  /** Lanes (tokens times top-k) that fit one array with room to spare on every JVM. */
  static final int MAX_LANES = Integer.MAX_VALUE - 64;

  private RoutingChecks() {}

  static void requireShape(int experts, int topK) {
    if (experts < 1 || experts > Routing.MAX_EXPERTS) {
      throw new IllegalArgumentException(experts + " experts: need 1 to " + Routing.MAX_EXPERTS);
    }
    if (topK < 1 || topK > Routing.MAX_TOP_K) {
      throw new IllegalArgumentException("top-" + topK + ": need 1 to " + Routing.MAX_TOP_K);
    }
    if (topK > experts) {
      throw new IllegalArgumentException(
          "top-"
              + topK
              + " of "
              + experts
              + " experts: a token cannot name an expert twice, so"
              + " top-k must not exceed the experts");
    }
  }

  static void requireShape(int experts, int topK, int ids, int weights) {
    requireShape(experts, topK);
    if (ids != weights) {
      throw new IllegalArgumentException(
          ids + " ids but " + weights + " weights: each lane needs one of both");
    }
    if (ids % topK != 0) {
      throw new IllegalArgumentException(
          ids + " ids are not a whole number of tokens of top-" + topK);
    }
  }

  static void requireTokens(int tokens, int topK) {
    if (tokens < 0 || (long) tokens * topK > MAX_LANES) {
      throw new IllegalArgumentException(
          tokens + " tokens x top-" + topK + ": need 0 to " + MAX_LANES / topK + " tokens");
    }
  }

  static void requireLanes(int experts, int topK, int[] ids, float[] weights) {
    // The token that named an expert last, plus one: a duplicate costs one look-up per lane.
    int[] namedBy = new int[experts];
    for (int i = 0; i < ids.length; i++) {
      int token = i / topK;
      int id = ids[i];
      if (!Float.isFinite(weights[i])) {
        throw new IllegalArgumentException(
            where(token, i % topK) + ": weight " + weights[i] + " is not finite");
      }
      if (id == Routing.MASKED) {
        continue;
      }
      if (id < 0 || id >= experts) {
        throw new IllegalArgumentException(
            where(token, i % topK)
                + ": expert "
                + id
                + " is outside [0, "
                + experts
                + "), and not -1 (masked)");
      }
      if (namedBy[id] == token + 1) {
        throw new IllegalArgumentException(
            where(token, i % topK) + ": expert " + id + " is named twice by one token");
      }
      namedBy[id] = token + 1;
    }
  }

  private static String where(int token, int lane) {
    return "token " + token + ", lane " + lane;
  }
}
