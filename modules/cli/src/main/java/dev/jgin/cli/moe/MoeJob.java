// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.moe;

import dev.jgin.gin.BarrierProtocol;
import dev.jgin.moe.CombineMode;
import dev.jgin.moe.EpConfig;
import dev.jgin.moe.EpConfigBuilder;
import dev.jgin.moe.ExpertLayout;
import dev.jgin.moe.ViolationPolicy;
import dev.jgin.moe.numeric.DType;
import dev.jgin.moe.numeric.ScaleFormat;
import dev.jgin.moe.oracle.OracleShape;
import java.nio.file.Path;
import java.util.Optional;

/**
 * One run.
 *
 * @param routing how {@link #batches} came to be, in words
 * @param batches the tokens of every iteration
 * @param rows what a row is
 * @param contexts contexts to each peer
 * @param fabric specification of the carrier
 * @param barrier the protocol
 * @param allowUnsound whether the protocol may be unsound on the carrier; violations are then
 *     collected instead of ending the run
 * @param streams batches in flight
 * @param audit whether each row carries a checksum
 * @param seed of payload and carrier
 * @param memoryBudget most off-heap bytes of all ranks together
 * @param timeoutNanos deadline of each wait
 * @param verify whether everything is compared with the oracle
 * @param dump where to write inputs and outputs
 * @param afterConnect what to run when the lanes are connected, see {@link LaneHook}
 */
public record MoeJob(
    String routing,
    Batches batches,
    Rows rows,
    int contexts,
    String fabric,
    BarrierProtocol barrier,
    boolean allowUnsound,
    int streams,
    boolean audit,
    long seed,
    long memoryBudget,
    long timeoutNanos,
    boolean verify,
    Optional<Dump> dump,
    Optional<String> afterConnect) {

  /** What a row is, how rows are laid out and how they are summed. */
  public record Rows(
      int hidden,
      DType dtype,
      ScaleFormat scales,
      ExpertLayout layout,
      int alignment,
      CombineMode combine) {}

  /**
   * Where to dump, and how many iterations.
   *
   * @param folder must not exist
   * @param iterations from the first on, warm-up included
   */
  public record Dump(Path folder, int iterations) {}

  /** The budget of one rank. */
  public long budgetPerRank() {
    return Math.max(1, memoryBudget / batches.ranks());
  }

  /**
   * The engine's configuration.
   *
   * @throws IllegalArgumentException naming the value, the limit and the remedy
   */
  public EpConfig config() {
    EpConfigBuilder builder =
        EpConfig.builder(batches.experts(), batches.topK(), rows.hidden)
            .dtype(rows.dtype)
            .scales(rows.scales)
            .maxTokensPerRank(batches.tokensPerRank())
            .layout(rows.layout)
            .expertAlignment(rows.alignment)
            .combine(rows.combine)
            .barrier(barrier)
            .streams(streams)
            .audit(audit)
            .memoryBudgetBytes(budgetPerRank())
            .timeoutNanos(timeoutNanos)
            .policy(allowUnsound ? ViolationPolicy.COLLECT : ViolationPolicy.FAIL_FAST);
    // Bytes of an earlier epoch may ask for more rows than this routing does: under an unsound
    // protocol the buffers must hold the worst case, or the experiment ends where it begins.
    return allowUnsound
        ? builder.build()
        : builder.maxExpertRows(batches.maxExpertRows(rows.alignment)).build();
  }

  /** The same numbers as the oracle wants them. */
  OracleShape shape(EpConfig config) {
    return new OracleShape(
        batches.ranks(),
        config.experts(),
        config.hidden(),
        config.dtype(),
        config.scales(),
        config.combineDtype(),
        config.expertAlignment());
  }
}
