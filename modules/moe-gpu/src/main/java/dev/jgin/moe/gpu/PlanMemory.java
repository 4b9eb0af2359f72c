// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.gpu;

import dev.jgin.bindings.abi.abi_h;
import dev.jgin.bindings.abi.jgin_plan;
import dev.jgin.bindings.abi.jgin_shape;
import java.lang.foreign.MemorySegment;

/**
 * Where the memory of one plan lies: sizes by the comments of {@code jgin_plan}. The input stands
 * in front, tokens, ids and weights, so that the host copies it from a twin of the same layout.
 */
final class PlanMemory {
  private final Slab slab = new Slab();

  /** Offset of the number of tokens, u32. */
  final long tokensAt;

  /** Offset of the ids. */
  final long idsAt;

  /** Offset of the weights. */
  final long weightsAt;

  /** Bytes of tokens, ids and weights. */
  final long inputBytes;

  /** For the shape of a rank. */
  PlanMemory(MemorySegment shape) {
    long ranks = jgin_shape.ranks(shape);
    long tokens = jgin_shape.max_tokens(shape);
    long experts = jgin_shape.experts(shape);
    long local = jgin_shape.local_experts(shape);
    long lanes = tokens * jgin_shape.top_k(shape);
    long chunks = Math.ceilDiv(tokens, (long) abi_h.JGIN_PLAN_CHUNK());
    tokensAt = slab.add(jgin_plan::input_tokens, Integer.BYTES);
    idsAt = slab.add(jgin_plan::input_ids, 4 * lanes);
    weightsAt = slab.add(jgin_plan::input_weights, 4 * lanes);
    inputBytes = slab.bytes();
    slab.add(jgin_plan::tokens, Integer.BYTES);
    slab.add(jgin_plan::ids, 4 * lanes);
    slab.add(jgin_plan::weights, 4 * lanes);
    slab.add(jgin_plan::places, 4 * lanes);
    slab.add(jgin_plan::slots, 4 * lanes);
    slab.add(jgin_plan::expert_counts, 4 * experts);
    slab.add(jgin_plan::rank_rows, 4 * ranks);
    slab.add(jgin_plan::source_rows, 4 * ranks);
    slab.add(jgin_plan::source_tokens, 4 * ranks);
    slab.add(jgin_plan::source_hash, 8 * ranks);
    slab.add(jgin_plan::source_counts, 4 * ranks * local);
    slab.add(jgin_plan::expert_start, 4 * (local + 1));
    slab.add(jgin_plan::expert_row_counts, 4 * local);
    slab.add(jgin_plan::chunk_counts, 4 * chunks * (experts + ranks));
    slab.add(jgin_plan::chunk_flags, 8 * (1 + chunks));
  }

  /** Bytes of everything. */
  long bytes() {
    return slab.bytes();
  }

  /** Writes all addresses into {@code plan}. */
  void fill(MemorySegment plan, long base) {
    slab.fill(plan, base);
  }
}
