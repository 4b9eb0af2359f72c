// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.trace;

import dev.jgin.moe.routing.Routing;
import java.util.OptionalInt;

/**
 * What to take from a trace and how much of it to accept.
 *
 * @param layer the MoE layer to take; empty if the trace holds only one
 * @param experts the number of experts; empty to take it from the trace, which may have to guess
 * @param maxTokens tokens accepted of the chosen layer
 * @param maxLineBytes bytes accepted in one line of a JSONL log
 */
public record TraceOptions(
    OptionalInt layer, OptionalInt experts, int maxTokens, int maxLineBytes) {
  /** Tokens accepted by default: 4 Mi. */
  public static final int DEFAULT_MAX_TOKENS = 1 << 22;

  /** Bytes accepted in one line by default: 1 MiB, where a record of top-32 has about 1 KiB. */
  public static final int DEFAULT_MAX_LINE_BYTES = 1 << 20;

  /**
   * @throws IllegalArgumentException if a value is outside what a routing can hold
   */
  public TraceOptions {
    require("layer", layer.orElse(0), 0, Integer.MAX_VALUE);
    require("experts", experts.orElse(1), 1, Routing.MAX_EXPERTS);
    require("maximal tokens", maxTokens, 1, Integer.MAX_VALUE / Routing.MAX_TOP_K - 2);
    require("maximal line bytes", maxLineBytes, 1, 1 << 30);
  }

  /** The one layer of a trace that says how many experts it has, with the default limits. */
  public static TraceOptions defaults() {
    return new TraceOptions(
        OptionalInt.empty(), OptionalInt.empty(), DEFAULT_MAX_TOKENS, DEFAULT_MAX_LINE_BYTES);
  }

  /** The same for one layer. */
  public TraceOptions withLayer(int chosen) {
    return new TraceOptions(OptionalInt.of(chosen), experts, maxTokens, maxLineBytes);
  }

  /** The same with a stated number of experts. */
  public TraceOptions withExperts(int stated) {
    return new TraceOptions(layer, OptionalInt.of(stated), maxTokens, maxLineBytes);
  }

  /** The same with a limit on tokens. */
  public TraceOptions withMaxTokens(int limit) {
    return new TraceOptions(layer, experts, limit, maxLineBytes);
  }

  private static void require(String what, int value, int least, int most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(what + " " + value + ": need " + least + " to " + most);
    }
  }
}
