// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.contract;

import dev.jgin.moe.EpConfig;
import dev.jgin.moe.EpConfigBuilder;
import java.util.function.UnaryOperator;

/** Builds a case from small defaults: 4 ranks, 3 contexts, 16 experts top-4, 6 tokens, 4 epochs. */
public final class CaseBuilder {
  private final Carrier carrier;
  private long seed = Long.getLong("jgin.seed", 1L);
  private int ranks = 4;
  private int contexts = 3;
  private int experts = 16;
  private int topK = 4;
  private int hidden = 128;
  private int tokens = 6;
  private int epochs = 4;
  private int everyNth = 1;
  private int combines = 1;
  private BatchKind kind = BatchKind.UNIFORM;
  private UnaryOperator<EpConfigBuilder> engine = UnaryOperator.identity();

  private CaseBuilder(Carrier carrier) {
    this.carrier = carrier;
  }

  /** A case on this carrier. */
  public static CaseBuilder on(Carrier carrier) {
    return new CaseBuilder(carrier);
  }

  /** Seed of carrier and batches. */
  public CaseBuilder seed(long value) {
    seed = value;
    return this;
  }

  /** Ranks and contexts. */
  public CaseBuilder world(int rankCount, int contextCount) {
    ranks = rankCount;
    contexts = contextCount;
    return this;
  }

  /** Experts and top-k. */
  public CaseBuilder experts(int count, int lanes) {
    experts = count;
    topK = lanes;
    return this;
  }

  /** Elements of a row. */
  public CaseBuilder hidden(int elements) {
    hidden = elements;
    return this;
  }

  /** Kind of routing and tokens of a full rank. */
  public CaseBuilder tokens(BatchKind batchKind, int perRank) {
    kind = batchKind;
    tokens = perRank;
    return this;
  }

  /** Epochs in all, and for how many of them a routing stays the same. */
  public CaseBuilder epochs(int count, int sameRouting) {
    epochs = count;
    everyNth = sameRouting;
    return this;
  }

  /** Combines behind each dispatch; 1 unless said. */
  public CaseBuilder combines(int count) {
    combines = count;
    return this;
  }

  /** More settings of the engine. */
  public CaseBuilder engine(UnaryOperator<EpConfigBuilder> settings) {
    engine = settings;
    return this;
  }

  /** The case. */
  public EpCase build() {
    EpConfig config =
        engine
            .apply(
                EpConfig.builder(experts, topK, hidden)
                    .maxTokensPerRank(Math.max(1, tokens))
                    .barrier(carrier.protocol()))
            .build();
    return new EpCase(
        carrier.fabric(),
        seed,
        ranks,
        contexts,
        carrier.allowUnsound(),
        config,
        epochs,
        combines,
        new GeneratedBatches(
            kind, EpCase.shape(config, ranks), topK, tokens, everyNth, BatchKind.mix(seed, 77)));
  }
}
