// SPDX-License-Identifier: Apache-2.0
// P: from ids to slots and places. Blocks take chunks of 64 tokens in order; each counts its chunk,
// publishes the counts, adds up those of the chunks before, and hands out places by bit masks (chunk.h).
// A chunk waits only for chunks that running blocks hold already, so it cannot wait for ever.
#pragma once

#include "jgin/chunk.h"
#include "jgin/session.cuh"

namespace jgin::plan {

struct Shared {
  unsigned long long* masks;  // [experts + ranks]
  uint32_t* before;           // [experts + ranks]: of earlier chunks
  int32_t* ids;               // [64 * top_k]
};

JGIN_D Shared carve(char* memory, const jgin_shape& s) {
  uint32_t names = s.experts + s.ranks;
  auto* masks = reinterpret_cast<unsigned long long*>(memory);
  auto* before = reinterpret_cast<uint32_t*>(masks + names);
  return {masks, before, reinterpret_cast<int32_t*>(before + names)};
}

/// Reads the chunk's ids into shared memory and the plan, and sets their bits.
JGIN_D void mark(const jgin_launch& l, const Shared& m, uint32_t first, uint32_t lanes) {
  const jgin_shape& s = l.rank.shape;
  uint64_t at = static_cast<uint64_t>(first) * s.top_k;
  for (uint32_t i = threadIdx.x; i < lanes; i += blockDim.x) {
    int32_t id = pointer<const int32_t>(l.plan.input_ids)[at + i];
    if (id < JGIN_NONE || id >= static_cast<int32_t>(s.experts)) {
      fail(l.rank, JGIN_ERROR_ROUTING, JGIN_KERNEL_PLAN, s.rank, static_cast<uint32_t>(id));
      id = JGIN_NONE;
    }
    m.ids[i] = id;
    pointer<int32_t>(l.plan.ids)[at + i] = id;
    pointer<uint32_t>(l.plan.weights)[at + i] = pointer<const uint32_t>(l.plan.input_weights)[at + i];
    if (id == JGIN_NONE) continue;
    unsigned long long bit = chunk::bit(i / s.top_k);
    if ((atomicOr(&m.masks[id], bit) & bit) != 0) {
      // A token that names an expert twice has no two places.
      fail(l.rank, JGIN_ERROR_ROUTING, JGIN_KERNEL_PLAN, s.rank, static_cast<uint32_t>(id));
    }
    atomicOr(&m.masks[s.experts + owner(s.experts, s.ranks, id)], bit);
  }
  __syncthreads();
}

/// Publishes this chunk's counts and adds up those of all chunks before. False if the wait ended.
JGIN_D bool look_back(const jgin_launch& l, const Shared& m, uint32_t chunk, uint32_t chunks,
                      uint64_t generation) {
  uint32_t names = l.rank.shape.experts + l.rank.shape.ranks;
  if (chunks == 1) {  // nobody to tell, nobody to wait for
    for (uint32_t i = threadIdx.x; i < names; i += blockDim.x) m.before[i] = 0;
    __syncthreads();
    return true;
  }
  auto* counts = pointer<uint32_t>(l.plan.chunk_counts);
  auto* flags = pointer<uint64_t>(l.plan.chunk_flags) + 1;
  for (uint32_t i = threadIdx.x; i < names; i += blockDim.x) {
    counts[static_cast<uint64_t>(chunk) * names + i] = popcount(m.masks[i]);
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    fence_acq_rel_gpu();
    store_release_gpu(&flags[chunk], generation);
  }
  bool passed = true;
  Watch watch(l.rank, JGIN_KERNEL_PLAN);
  for (uint32_t c = threadIdx.x; c < chunk && passed; c += blockDim.x) {
    while (passed && load_acquire_gpu(&flags[c]) != generation) {
      passed = !watch.over(JGIN_ERROR_DEADLINE, l.rank.shape.rank, c);
    }
  }
  if (!__syncthreads_and(passed)) return false;
  for (uint32_t i = threadIdx.x; i < names; i += blockDim.x) {
    uint32_t sum = 0;
#pragma unroll 8
    for (uint32_t c = 0; c < chunk; c++) sum += __ldcg(&counts[static_cast<uint64_t>(c) * names + i]);
    m.before[i] = sum;
  }
  __syncthreads();
  return true;
}

/// Writes places and slots of the chunk's lanes.
JGIN_D void hand_out(const jgin_launch& l, const Shared& m, uint32_t first, uint32_t lanes) {
  const jgin_shape& s = l.rank.shape;
  uint64_t at = static_cast<uint64_t>(first) * s.top_k;
  for (uint32_t i = threadIdx.x; i < lanes; i += blockDim.x) {
    uint32_t token = i / s.top_k;
    int32_t id = m.ids[i];
    uint32_t place = 0;
    int32_t slot = JGIN_NONE;
    if (id != JGIN_NONE) {
      place = m.before[id] + chunk::place(m.masks[id], token);
#if defined(JGIN_MUTANT_PLACE_OFF_BY_ONE)
      place++;
#endif
      uint32_t rank = owner(s.experts, s.ranks, id);
      bool earlier = false;
      for (uint32_t j = token * s.top_k; j < i; j++) {
        earlier |= m.ids[j] != JGIN_NONE && owner(s.experts, s.ranks, m.ids[j]) == rank;
      }
      // One row for all lanes of a rank: its first lane has the slot.
      if (!earlier) {
        uint32_t name = s.experts + rank;
        slot = static_cast<int32_t>(m.before[name] + chunk::place(m.masks[name], token));
      }
    }
    pointer<uint32_t>(l.plan.places)[at + i] = place;
    pointer<int32_t>(l.plan.slots)[at + i] = slot;
  }
}

}  // namespace jgin::plan

extern "C" __global__ void __launch_bounds__(JGIN_THREADS_PLAN)
    jgin_plan_routing(const __grid_constant__ jgin_launch l) {
  using namespace jgin;
  extern __shared__ __align__(128) char shared_memory[];
  __shared__ uint32_t ticket;
  dependency_wait();
  dependency_launch();
  const jgin_shape& s = l.rank.shape;
  auto* state = pointer<jgin_state>(l.rank.state);
  auto* generations = pointer<uint64_t>(l.plan.chunk_flags);
  uint64_t generation = __ldcg(reinterpret_cast<unsigned long long*>(generations)) + 1;
  uint32_t tokens = *pointer<const uint32_t>(l.plan.input_tokens);
  plan::Shared m = plan::carve(shared_memory, s);
  if (tokens > s.max_tokens) {
    fail(l.rank, JGIN_ERROR_ROUTING, JGIN_KERNEL_PLAN, s.rank, tokens);
  } else if (may_begin(l.rank, JGIN_KERNEL_PLAN)) {
    uint32_t chunks = chunk::chunks(tokens);
    while (true) {
      if (threadIdx.x == 0) ticket = atomicAdd(&state->plan_ticket, 1);
      for (uint32_t i = threadIdx.x; i < s.experts + s.ranks; i += blockDim.x) m.masks[i] = 0;
      __syncthreads();
      uint32_t chunk = ticket;
      if (chunk >= chunks) break;
      uint32_t first = chunk * chunk::TOKENS;
      uint32_t lanes = min(chunk::TOKENS, tokens - first) * s.top_k;
      plan::mark(l, m, first, lanes);
      if (!plan::look_back(l, m, chunk, chunks, generation)) break;
      plan::hand_out(l, m, first, lanes);
      if (chunk == chunks - 1) {
        for (uint32_t i = threadIdx.x; i < s.experts + s.ranks; i += blockDim.x) {
          uint32_t all = m.before[i] + popcount(m.masks[i]);
          if (i < s.experts) {
            pointer<uint32_t>(l.plan.expert_counts)[i] = all;
          } else {
            pointer<uint32_t>(l.plan.rank_rows)[i - s.experts] = all;
          }
        }
        if (threadIdx.x == 0) *pointer<uint32_t>(l.plan.tokens) = tokens;
      }
      __syncthreads();
    }
  }
  if (last_block(l.rank, JGIN_KERNEL_PLAN) && threadIdx.x == 0) {
    state->plan_ticket = 0;
    *generations = generation;
  }
}
