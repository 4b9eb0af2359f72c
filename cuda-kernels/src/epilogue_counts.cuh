// SPDX-License-Identifier: Apache-2.0
// The slow path at the end of B: the balance of places was not 0, so rows are missing. Says whose, and zeroes
// what nobody filled.
#pragma once

#include "epilogue_rows.cuh"

namespace jgin::epilogue {

/// Counts the places that were filled, from the origins; of two rows in one place, the one that stands.
/// The slow path; by the last block.
JGIN_D void recount(const jgin_launch& l, const Tables& t) {
  const jgin_rank& r = l.rank;
  const jgin_shape& s = r.shape;
  uint64_t lanes = static_cast<uint64_t>(t.received[s.ranks]) * s.top_k;
  for (uint64_t i = threadIdx.x; i < lanes; i += blockDim.x) {
    int32_t row = static_cast<int32_t>(i / s.top_k);
    int32_t source = __ldcg(&pointer<int32_t>(r.received_source)[row]);
    int32_t local = __ldcg(&pointer<int32_t>(r.received_expert)[i]);
    if (source < 0 || local < 0) continue;
    if (s.layout == JGIN_EXPANDED) {
      int32_t to = __ldcg(&pointer<int32_t>(r.received_row)[i]);
      if (__ldcg(&pointer<int32_t>(r.row_received)[to]) != row ||
          __ldcg(&pointer<int32_t>(r.row_lane)[to]) != static_cast<int32_t>(i % s.top_k)) {
        continue;
      }
    }
    atomicAdd(&pointer<uint32_t>(r.placed)[source * s.local_experts + local], 1);
  }
  __syncthreads();
}

/// Every (source, expert) must have as many rows as were counted; counted rows that nobody filled are
/// zeroed. Leaves the scratch zero for the next dispatch. The slow path; by the last block.
JGIN_D void check_counts(const jgin_launch& l, const Tables& t, uint64_t epoch) {
  const jgin_shape& s = l.rank.shape;
  uint32_t el = s.local_experts, lane = threadIdx.x % 32;
  auto* placed = pointer<uint32_t>(l.rank.placed);
  auto* failed = pointer<uint32_t>(l.rank.source_failed);
  uint32_t pairs = s.ranks * el;
  for (uint32_t from = threadIdx.x / 32 * 32; from < pairs; from += blockDim.x) {
    uint32_t i = from + lane;
    uint32_t seen = i < pairs ? __ldcg(&placed[i]) : 0, counted = i < pairs ? t.counts[i] : 0;
    if (i < pairs) placed[i] = 0;
    bool short_of = seen < counted && checks(s, JGIN_CHECK_COUNTS_EQUAL);
    if (short_of && __ldcg(&failed[i / el]) == 0) {
      report(l.rank, {JGIN_CHECK_COUNTS_EQUAL, JGIN_MISSING, KERNEL, static_cast<int32_t>(i / el),
                      JGIN_NONE, epoch, epoch, counted, seen, JGIN_NONE, static_cast<int32_t>(i % el)});
    }
    uint32_t holes = __ballot_sync(ALL_LANES, short_of && s.layout == JGIN_EXPANDED);
    for (; holes != 0; holes &= holes - 1) {
      uint32_t pair = from + __ffs(holes) - 1;
      for (uint32_t row = t.base[pair]; row < t.base[pair] + t.counts[pair]; row++) {
        if (__ldcg(&pointer<uint32_t>(l.rank.row_stamp)[row]) == static_cast<uint32_t>(epoch)) continue;
        clear_row(l.rank, row);
        if (lane == 0) pointer<int32_t>(l.rank.row_received)[row] = JGIN_NONE;
      }
    }
  }
}

}  // namespace jgin::epilogue
