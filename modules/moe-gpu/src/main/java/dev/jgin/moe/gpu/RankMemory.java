// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.gpu;

import dev.jgin.bindings.abi.jgin_peer;
import dev.jgin.bindings.abi.jgin_rank;
import dev.jgin.bindings.abi.jgin_shape;
import dev.jgin.bindings.abi.jgin_state;
import dev.jgin.bindings.abi.jgin_violation;
import dev.jgin.bindings.abi.jgin_violations;
import java.lang.foreign.MemorySegment;

/**
 * Where the memory of one rank and stream lies: sizes by the comments of {@code jgin_rank} and
 * {@code jgin_peer}. Pure arithmetic; who allocates is {@link StreamMemory}.
 */
final class RankMemory {
  private final Slab rank = new Slab();
  private final Slab windows = new Slab();

  /** For the shape of this rank. */
  RankMemory(MemorySegment shape, int keptViolations) {
    long ranks = jgin_shape.ranks(shape);
    long tokens = jgin_shape.max_tokens(shape);
    long topK = jgin_shape.top_k(shape);
    long rows = jgin_shape.expert_rows(shape);
    long received = jgin_shape.received_rows(shape);
    rank.add(jgin_rank::state, jgin_state.sizeof());
    rank.add(jgin_rank::error_word, Long.BYTES);
    rank.add(
        jgin_rank::violations, jgin_violations.sizeof() + keptViolations * jgin_violation.sizeof());
    rank.add(jgin_rank::peers, ranks * jgin_peer.sizeof());
    rank.add(jgin_rank::signals, signalCells(shape) * Long.BYTES);
    rank.add(jgin_rank::payload, tokens * jgin_shape.input_bytes(shape));
    rank.add(jgin_rank::scales, tokens * jgin_shape.scale_bytes(shape));
    rank.add(jgin_rank::expert_payload, rows * jgin_shape.payload_bytes(shape));
    rank.add(jgin_rank::expert_scales, rows * jgin_shape.scale_bytes(shape));
    rank.add(jgin_rank::row_received, 4 * rows);
    rank.add(jgin_rank::row_lane, 4 * rows);
    rank.add(jgin_rank::row_weight, 4 * rows);
    rank.add(jgin_rank::received_source, 4 * received);
    rank.add(jgin_rank::received_token, 4 * received);
    rank.add(jgin_rank::received_lane, 4 * received);
    rank.add(jgin_rank::received_ordinal, 4 * received);
    rank.add(jgin_rank::received_expert, 4 * received * topK);
    rank.add(jgin_rank::received_row, 4 * received * topK);
    rank.add(jgin_rank::received_weight, 4 * received * topK);
    rank.add(jgin_rank::row_stamp, 4 * rows);
    rank.add(jgin_rank::placed, 4 * ranks * jgin_shape.local_experts(shape));
    rank.add(jgin_rank::source_failed, 4 * ranks);
    rank.add(jgin_rank::expert_output, rows * jgin_shape.combine_bytes(shape));
    rank.add(jgin_rank::output, tokens * jgin_shape.combine_bytes(shape));
    windows.add(jgin_peer::local_rows, 2 * ranks * tokens * jgin_shape.row_stride(shape));
    windows.add(jgin_peer::local_counts, 2 * ranks * jgin_shape.count_stride(shape));
    windows.add(
        jgin_peer::local_returns,
        2 * tokens * jgin_shape.lanes(shape) * jgin_shape.return_stride(shape));
  }

  /** Cells of the signals of both operations and parities. */
  static long signalCells(MemorySegment shape) {
    return 4L * jgin_shape.contexts(shape) * jgin_shape.ranks(shape);
  }

  /** Bytes of everything. */
  long bytes() {
    return rank.bytes() + windows.bytes();
  }

  /**
   * Writes all addresses: those of {@code jgin_rank} that are device memory, and the {@code
   * local_…} ones of a {@code jgin_peer}.
   */
  void fill(MemorySegment rankStruct, MemorySegment peerStruct, long base) {
    rank.fill(rankStruct, base);
    windows.fill(peerStruct, base + rank.bytes());
  }
}
