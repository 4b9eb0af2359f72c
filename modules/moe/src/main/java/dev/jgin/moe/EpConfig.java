// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe;

import dev.jgin.gin.BarrierProtocol;
import dev.jgin.moe.check.Check;
import dev.jgin.moe.numeric.DType;
import dev.jgin.moe.numeric.ScaleFormat;
import dev.jgin.moe.routing.Routing;
import java.util.Set;

/**
 * The shape of an expert-parallel engine; equal on every rank. Immutable. Made by {@link #builder}.
 *
 * @param experts experts in all, 1 to {@value Routing#MAX_EXPERTS}; rank {@code r} of {@code R}
 *     owns {@code [r * experts / R, (r + 1) * experts / R)}
 * @param topK lanes of a token, 1 to {@value Routing#MAX_TOP_K}
 * @param hidden elements of a row; {@code hidden} times the element size must be a multiple of 16
 *     bytes, for both types
 * @param dtype type of dispatched elements; dispatch moves them without converting
 * @param scales format of the scales that travel with each row; other than {@link ScaleFormat#NONE}
 *     only with {@link DType#FP8_E4M3}
 * @param combineDtype type of expert outputs and of the combined rows; default {@code dtype}, or
 *     BF16 for FP8
 * @param maxTokensPerRank most tokens that one rank dispatches at once; at least 1
 * @param layout how received rows are laid out
 * @param expertAlignment rows; each expert's first row is a multiple of it and the gaps are zero; 1
 *     in {@link ExpertLayout#ONE_ROW_PER_TOKEN}
 * @param combine how outputs are summed; {@link CombineMode#CANONICAL} needs {@link
 *     ExpertLayout#EXPANDED}
 * @param barrier the barrier behind dispatch and combine
 * @param streams batches in flight, each with its own buffers, epochs and barriers; 1 to 64
 * @param audit whether each row carries a checksum, which catches torn rows; costs a pass over the
 *     bytes at either end
 * @param memoryBudgetBytes most off-heap bytes of one rank, all streams together, by {@link
 *     dev.jgin.moe.layout.BufferFormula}
 * @param maxExpertRows room for expert rows, padding included; 0 for the worst case: {@code R * T *
 *     min(topK, local experts) + (alignment - 1) * local experts}. A dispatch that needs more ends
 *     in a {@link CapacityException}
 * @param timeoutNanos deadline of each wait, on the carrier's clock
 * @param policy what a failed check does
 * @param checks which checks run: all, unless a test proves that one is guarded
 * @param initialEpoch the epoch before the first, at least 0; other than 0 in tests only
 */
public record EpConfig(
    int experts,
    int topK,
    int hidden,
    DType dtype,
    ScaleFormat scales,
    DType combineDtype,
    int maxTokensPerRank,
    ExpertLayout layout,
    int expertAlignment,
    CombineMode combine,
    BarrierProtocol barrier,
    int streams,
    boolean audit,
    long memoryBudgetBytes,
    long maxExpertRows,
    long timeoutNanos,
    ViolationPolicy policy,
    Set<Check> checks,
    long initialEpoch) {

  /** Most batches in flight. */
  public static final int MAX_STREAMS = 64;

  /**
   * @throws IllegalArgumentException naming the value, the limit and the remedy
   */
  public EpConfig {
    checks = Set.copyOf(checks);
    EpConfigRules.require(
        new EpConfigRules.Shape(experts, topK, hidden, dtype, scales, combineDtype),
        new EpConfigRules.Layout(layout, expertAlignment, combine));
    EpConfigRules.requirePositive("maxTokensPerRank", maxTokensPerRank);
    EpConfigRules.requirePositive("memoryBudgetBytes", memoryBudgetBytes);
    EpConfigRules.requirePositive("timeoutNanos", timeoutNanos);
    EpConfigRules.requireIn("streams", streams, 1, MAX_STREAMS);
    EpConfigRules.requireIn("initialEpoch", initialEpoch, 0, Long.MAX_VALUE);
    EpConfigRules.requireIn("maxExpertRows", maxExpertRows, 0, EpConfigRules.MAX_ROWS);
  }

  /** A builder for {@code experts} experts, top-{@code topK}, rows of {@code hidden} elements. */
  public static EpConfigBuilder builder(int experts, int topK, int hidden) {
    return new EpConfigBuilder(experts, topK, hidden);
  }

  /** Bytes of a dispatched payload. */
  public long payloadBytes() {
    return dtype.bytes(hidden);
  }

  /** Bytes of the scales of a dispatched row; may be 0. */
  public long scaleBytes() {
    return scales.bytesPerRow(hidden);
  }

  /** Bytes of an expert output or combined row. */
  public long combineBytes() {
    return combineDtype.bytes(hidden);
  }
}
