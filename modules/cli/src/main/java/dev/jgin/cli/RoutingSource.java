// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli;

import dev.jgin.cli.moe.Batches;
import dev.jgin.cli.trace.Trace;
import dev.jgin.cli.trace.TraceOptions;
import dev.jgin.cli.trace.TraceReader;
import dev.jgin.moe.routing.DeepSeekV3Routing;
import dev.jgin.moe.routing.Routing;
import dev.jgin.moe.routing.RoutingGenerator;
import java.io.IOException;
import java.util.Optional;

/** Where the tokens of a run come from. */
sealed interface RoutingSource {
  /** In words, for the report. */
  String describe();

  /**
   * The tokens of a run.
   *
   * @param tokensPerRank tokens of a rank in an iteration; null to choose
   * @param iterations timed iterations; null to choose
   * @throws UsageException if a number is out of range
   */
  Batches batches(int ranks, Integer tokensPerRank, int warmup, Integer iterations, long seed);

  /** Tokens of a rank unless something else is asked for. */
  int DEFAULT_TOKENS_PER_RANK = 128;

  /** Iterations of a generator unless something else is asked for. */
  int DEFAULT_ITERATIONS = 20;

  /** Most lanes of a generated routing; longer runs read it round and round. */
  int MAX_LANES = 1 << 24;

  /** What the options ask for. */
  static RoutingSource of(RoutingOptions options) {
    if (options.trace == null) {
      requireNoTraceOptions(options);
      return generator(options);
    }
    if (options.routing != null) {
      throw new UsageException(
          "--routing %s and --trace %s: give one of them"
              .formatted(options.routing, options.trace));
    }
    return new Logged(read(options));
  }

  private static void requireNoTraceOptions(RoutingOptions options) {
    if (options.weights != null || options.layer != null) {
      throw new UsageException(
          (options.weights != null ? "--weights " + options.weights : "--layer " + options.layer)
              + " goes with --trace; give the file of the log too");
    }
  }

  private static RoutingSource generator(RoutingOptions options) {
    String spec = options.routing == null ? "uniform" : options.routing;
    boolean deepSeek = spec.equals("deepseek-v3");
    int experts = orElse(options.experts, deepSeek ? DeepSeekV3Routing.EXPERTS : 64);
    int topK = orElse(options.topk, deepSeek ? DeepSeekV3Routing.TOP_K : Math.min(8, experts));
    requireShape(experts, topK);
    try {
      return new Generated(spec, RoutingGenerator.parse(spec, experts, topK));
    } catch (IllegalArgumentException e) {
      throw new UsageException("--routing: " + e.getMessage(), e);
    }
  }

  private static void requireShape(int experts, int topK) {
    Numbers.requireIn("--experts", experts, 1, Routing.MAX_EXPERTS);
    Numbers.requireIn("--topk", topK, 1, Math.min(Routing.MAX_TOP_K, experts));
  }

  private static Trace read(RoutingOptions options) {
    TraceOptions wanted = TraceOptions.defaults();
    if (options.layer != null) {
      Numbers.requireIn("--layer", options.layer, 0, Integer.MAX_VALUE);
      wanted = wanted.withLayer(options.layer);
    }
    if (options.experts != null) {
      Numbers.requireIn("--experts", options.experts, 1, Routing.MAX_EXPERTS);
      wanted = wanted.withExperts(options.experts);
    }
    Trace trace;
    try {
      trace = TraceReader.read(options.trace, Optional.ofNullable(options.weights), wanted);
    } catch (IOException e) {
      throw new UsageException("--trace: " + e.getMessage(), e);
    }
    if (options.topk != null && options.topk != trace.routing().topK()) {
      throw new UsageException(
          "--topk %d: %s has top-%d; leave the option out"
              .formatted(options.topk, options.trace, trace.routing().topK()));
    }
    return trace;
  }

  private static int orElse(Integer value, int otherwise) {
    return value == null ? otherwise : value;
  }

  private static int tokensPerRank(Integer wanted, int ranks, int topK, int otherwise) {
    int tokens = orElse(wanted, otherwise);
    Numbers.requireIn("--tokens-per-rank", tokens, 1, (1 << 28) / ranks / topK);
    return tokens;
  }

  /** A router's log: each token once, unless a number of iterations is asked for. */
  record Logged(Trace trace) implements RoutingSource {
    @Override
    public String describe() {
      return trace.describe();
    }

    @Override
    public Batches batches(
        int ranks, Integer tokensPerRank, int warmup, Integer iterations, long seed) {
      Routing routing = trace.routing();
      int even = Math.max(1, Math.ceilDiv(routing.tokens(), ranks));
      int tokens =
          tokensPerRank(
              tokensPerRank, ranks, routing.topK(), Math.min(DEFAULT_TOKENS_PER_RANK, even));
      return iterations == null
          ? Batches.once(routing, ranks, tokens, warmup)
          : Batches.around(routing, ranks, tokens, warmup, iterations);
    }
  }

  /** A generator. */
  record Generated(String spec, RoutingGenerator generator) implements RoutingSource {
    @Override
    public String describe() {
      return "generated: %s, top-%d of %d experts"
          .formatted(spec, generator.topK(), generator.experts());
    }

    @Override
    public Batches batches(
        int ranks, Integer tokensPerRank, int warmup, Integer iterations, long seed) {
      int topK = generator.topK();
      int tokens = tokensPerRank(tokensPerRank, ranks, topK, DEFAULT_TOKENS_PER_RANK);
      int timed = orElse(iterations, DEFAULT_ITERATIONS);
      int perIteration = ranks * tokens;
      long most = Math.max(1, MAX_LANES / topK / perIteration);
      int distinct = (int) Math.min(most, Math.max(timed, warmup));
      Routing pool = generator.generate(distinct * perIteration, seed);
      return Batches.around(pool, ranks, tokens, warmup, timed);
    }
  }
}
