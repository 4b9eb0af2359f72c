// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe;

import dev.jgin.gin.BarrierProtocol;
import dev.jgin.gin.TaggedLines;
import dev.jgin.moe.layout.BufferFormula;
import dev.jgin.moe.layout.CombineLayout;
import dev.jgin.moe.layout.CountLayout;
import dev.jgin.moe.layout.MemoryBudget;
import dev.jgin.moe.layout.RowLayout;
import dev.jgin.moe.plan.Placement;

/** Every size and stride that follows from the configuration, the ranks and the carrier. */
final class Geometry {
  /** Longest tagged line: longer ones save less than 2 % of the bytes. */
  private static final long MAX_LINE = 128;

  final EpConfig config;
  final int rank;
  final int ranks;
  final int tokens;
  final int topK;
  final Placement placement;
  final int firstExpert;
  final int localExperts;

  /** Rows that return for one token, at most. */
  final int lanes;

  /** Room for expert rows; one-row-per-token: for received rows. */
  final int expertRows;

  /** Room for received rows, deduplicated by rank. */
  final int receivedRows;

  final RowLayout row;
  final CombineLayout combine;
  final CountLayout count;

  /** Null unless rows carry a tag in each line. */
  final TaggedLines lines;

  final long rowStride;
  final long combineStride;
  final long countStride;

  private Geometry(EpConfig config, EpSizes sizes, int rank, int ranks, long granuleBytes) {
    this.config = config;
    this.rank = rank;
    this.ranks = ranks;
    this.tokens = config.maxTokensPerRank();
    this.topK = config.topK();
    this.placement = sizes.placement();
    this.firstExpert = placement.firstExpert(rank);
    this.localExperts = placement.localExperts(rank);
    this.lanes = sizes.lanes();
    this.row = new RowLayout(topK, config.payloadBytes(), config.scaleBytes());
    this.combine = new CombineLayout(config.combineBytes());
    this.count = new CountLayout(placement.maxLocalExperts());
    this.lines =
        config.barrier() == BarrierProtocol.ORDER_FREE
            ? new TaggedLines(Math.min(MAX_LINE, granuleBytes))
            : null;
    this.rowStride = RowLayout.stride(wire(row.bytes()));
    this.combineStride = RowLayout.stride(wire(combine.bytes()));
    this.countStride = RowLayout.stride(wire(count.bytes()));
    this.expertRows = sizes.expertRows();
    this.receivedRows = sizes.receivedRows();
  }

  /**
   * The geometry, if it fits.
   *
   * @throws IllegalArgumentException if it exceeds the budget or what an array describes
   */
  static Geometry of(EpConfig config, int rank, int ranks, long granuleBytes) {
    EpSizes sizes = EpSizes.of(config, ranks);
    Geometry geometry = new Geometry(config, sizes, rank, ranks, granuleBytes);
    MemoryBudget.require(config.maxTokensPerRank(), geometry::buffers, config.memoryBudgetBytes());
    return geometry;
  }

  /** Whether outputs are summed here before they return. */
  boolean sumsPartially() {
    return config.combine() == CombineMode.REDUCED && config.layout() == ExpertLayout.EXPANDED;
  }

  /** Bytes of {@code rawBytes} on the wire. */
  long wire(long rawBytes) {
    return lines == null ? rawBytes : lines.encodedBytes(rawBytes);
  }

  /** The buffers for {@code tokensPerRank} tokens. */
  BufferFormula buffers(int tokensPerRank) {
    long rows = EpSizes.expertRows(config, placement, tokensPerRank);
    return new BufferFormula(
        ranks,
        config.streams(),
        tokensPerRank,
        lanes,
        rows,
        sumsPartially() ? Math.min(rows, (long) ranks * tokensPerRank) : 0,
        lines != null,
        rowStride,
        countStride,
        combineStride,
        config.payloadBytes() + config.scaleBytes(),
        config.combineBytes());
  }

  /** Offset of a received row, epochs alternating. */
  long receivedAt(long epoch, int source, long slot) {
    return (((epoch & 1) * ranks + source) * tokens + slot) * rowStride;
  }

  /** Offset of a received count block, epochs alternating. */
  long countAt(long epoch, int source) {
    return ((epoch & 1) * ranks + source) * countStride;
  }

  /** Offset of a returned row, epochs alternating; {@code slot = token * lanes + lane}. */
  long returnedAt(long epoch, long slot) {
    return ((epoch & 1) * tokens * lanes + slot) * combineStride;
  }

  /** The context that carries a row: all of them in turn, another start each epoch. */
  static int context(long slot, int destination, long epoch, int contexts) {
    return (int) Math.floorMod(slot + destination + epoch, (long) contexts);
  }
}
