// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.trace;

import dev.jgin.moe.routing.Routing;
import java.util.Arrays;
import java.util.OptionalInt;

/** Collects tokens and checks each against those before it. Complaints name a value and a limit. */
final class LaneStore {
  private final int maxTokens;
  private int topK;
  private int tokens;
  private int largestId = Routing.MASKED;
  private int[] ids = new int[0];
  private float[] weights = new float[0];

  LaneStore(int maxTokens) {
    this.maxTokens = maxTokens;
  }

  int tokens() {
    return tokens;
  }

  /**
   * Adds a token of {@code count} lanes, or says why not.
   *
   * @param experts the number of experts, or empty if it is to be guessed
   * @return null, or the complaint
   */
  String add(int[] tokenIds, float[] tokenWeights, int count, OptionalInt experts) {
    if (tokens == maxTokens) {
      return "more than " + maxTokens + " tokens, the limit; cut the trace or raise the limit";
    }
    if (tokens > 0 && count != topK) {
      return "top-"
          + count
          + " after tokens of top-"
          + topK
          + "; every token needs the same"
          + " number of experts, with -1 for lanes that are not used";
    }
    int limit = experts.orElse(Routing.MAX_EXPERTS);
    for (int k = 0; k < count; k++) {
      if (tokenIds[k] < Routing.MASKED || tokenIds[k] >= limit) {
        return "topk_ids["
            + k
            + "] is "
            + tokenIds[k]
            + ", need -1 to "
            + (limit - 1)
            + ", as "
            + (experts.isPresent() ? "there are " + limit + " experts" : "no model has more");
      }
      for (int j = 0; j < k; j++) {
        if (tokenIds[j] == tokenIds[k] && tokenIds[k] != Routing.MASKED) {
          return "topk_ids["
              + k
              + "] is "
              + tokenIds[k]
              + ", the same as topk_ids["
              + j
              + "]; a token names an expert at most once";
        }
      }
      largestId = Math.max(largestId, tokenIds[k]);
    }
    append(tokenIds, tokenWeights, count);
    return null;
  }

  private void append(int[] tokenIds, float[] tokenWeights, int count) {
    topK = count;
    int used = tokens * topK;
    if (used + topK > ids.length) {
      int room = (int) Math.min((long) maxTokens * topK, Math.max(1024L * topK, 2L * used));
      ids = Arrays.copyOf(ids, room);
      weights = Arrays.copyOf(weights, room);
    }
    System.arraycopy(tokenIds, 0, ids, used, count);
    System.arraycopy(tokenWeights, 0, weights, used, count);
    tokens++;
  }

  /** Whether {@code topK} lanes of different experts fit {@code experts}; else the complaint. */
  String complaintAbout(int experts) {
    if (topK > experts) {
      return "top-" + topK + " of " + experts + " experts; a token names an expert at most once";
    }
    return null;
  }

  /** The smallest number of experts that the tokens allow. */
  int fewestExperts() {
    return Math.max(Math.max(largestId + 1, topK), 1);
  }

  /** The tokens as a routing. */
  Routing routing(int experts) {
    int used = tokens * topK;
    return Routing.of(experts, topK, Arrays.copyOf(ids, used), Arrays.copyOf(weights, used));
  }
}
