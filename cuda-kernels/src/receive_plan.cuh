// SPDX-License-Identifier: Apache-2.0
// B's tables: what every source counted, checked, and where its rows go. Each block makes them for
// itself; block 0 also keeps them for callers and for cached dispatches.
#pragma once

#include "jgin/checksum.h"
#include "jgin/exchange.cuh"

namespace jgin::epilogue {

/// In shared memory, for the whole kernel.
struct Tables {
  uint64_t* scratch;   // [32]
  uint64_t* parts;     // [ranks]: the hash's parts together, then whether the block is believed
  uint32_t* counts;    // [ranks][experts of this rank]
  uint32_t* base;      // [ranks][experts]: the first expert row of (source, expert)
  uint32_t* start;     // [experts + 1]
  uint32_t* rows;      // [experts]: rows without padding
  uint32_t* received;  // [ranks + 1]: the first received row of a source
  uint32_t* tokens;    // [ranks]
};

JGIN_D uint32_t table_bytes(const jgin_shape& s) {
  uint32_t pairs = s.ranks * s.local_experts;
  return round_up<uint32_t>(
      8 * (32 + s.ranks) + 4 * (2 * pairs + 2 * s.local_experts + 2 * s.ranks + 2), JGIN_LINE);
}

JGIN_D Tables carve(char* memory, const jgin_shape& s) {
  Tables t;
  uint32_t pairs = s.ranks * s.local_experts;
  t.scratch = reinterpret_cast<uint64_t*>(memory);
  t.parts = t.scratch + 32;
  t.counts = reinterpret_cast<uint32_t*>(t.parts + s.ranks);
  t.base = t.counts + pairs;
  t.start = t.base + pairs;
  t.rows = t.start + s.local_experts + 1;
  t.received = t.rows + s.local_experts;
  t.tokens = t.received + s.ranks + 1;
  return t;
}

/// Reads the counts of all sources and judges their blocks. What is not believed counts as nothing.
class Counts {
 public:
  JGIN_D Counts(const jgin_launch& l, const Tables& t, uint64_t epoch)
      : l_(l), s_(l.rank.shape), t_(t), epoch_(epoch), cached_((l.flags & JGIN_LAUNCH_CACHED) != 0),
        keeps_(blockIdx.x == 0 && !cached_) {}

  /// By all threads. Received rows per source are left in t.received[0 .. ranks - 1], not summed.
  JGIN_D void read() {
    uint32_t el = s_.local_experts;
    for (uint32_t i = threadIdx.x; i < s_.ranks; i += blockDim.x) t_.parts[i] = 0;
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < s_.ranks * el; i += blockDim.x) {
      uint32_t source = i / el, e = i % el;
      uint32_t count = cached_ ? pointer<const uint32_t>(l_.plan.source_counts)[i]
                               : __ldcg(reinterpret_cast<const uint32_t*>(
                                     block(source) + sizeof(jgin_count_header)) + e);
      t_.counts[i] = count;
      fold(source, checksum::count_part(e, count));
    }
    __syncthreads();
    for (uint32_t source = threadIdx.x; source < s_.ranks; source += blockDim.x) judge(source);
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < s_.ranks * el; i += blockDim.x) {
      uint32_t count = t_.counts[i];
      if (count > s_.max_tokens || t_.parts[i / el] == 0) count = 0;
      t_.counts[i] = count;
      if (keeps_) pointer<uint32_t>(l_.plan.source_counts)[i] = count;
    }
    __syncthreads();
  }

 private:
  /// Adds a part to its source's hash, by 32-bit halves, for which shared memory has an instruction.
  JGIN_D void fold(uint32_t source, uint64_t part) {
    uint32_t lanes = __activemask(), low = static_cast<uint32_t>(part);
    uint32_t high = static_cast<uint32_t>(part >> 32);
    int alike;
    __match_all_sync(lanes, source, &alike);
    if (alike != 0) {  // the usual case where a rank has 32 experts or more
      low = __reduce_xor_sync(lanes, low);
      high = __reduce_xor_sync(lanes, high);
      if (threadIdx.x % 32 != __ffs(lanes) - 1) return;
    }
    auto* words = reinterpret_cast<uint32_t*>(&t_.parts[source]);
    atomicXor(words, low);
    atomicXor(words + 1, high);
  }

  JGIN_D const char* block(uint32_t source) const {
    return pointer<const char>(pointer<const jgin_peer>(l_.rank.peers)[source].local_counts) +
           count_at(s_, epoch_, source);
  }

  JGIN_D void judge(uint32_t source) {
    const auto* words = reinterpret_cast<const uint4*>(block(source));
    uint4 w[2] = {__ldcg(words), __ldcg(words + 1)};
    const auto& h = *reinterpret_cast<const jgin_count_header*>(w);
    bool sound = !checks(s_, JGIN_CHECK_COUNT_BLOCK) || is_sound(source, h);
    uint32_t rows = h.rows, tokens = h.tokens;
    if (cached_) {
      // The kept counts stand, whatever came: rows are judged one by one.
      rows = pointer<const uint32_t>(l_.plan.source_rows)[source];
      tokens = pointer<const uint32_t>(l_.plan.source_tokens)[source];
      sound = true;
    }
    // Memory is safe also where the check is switched off for an experiment.
    if (rows > s_.max_tokens || tokens > s_.max_tokens) sound = false;
    t_.parts[source] = sound;
    t_.received[source] = sound ? rows : 0;
    t_.tokens[source] = sound ? tokens : 0;
    if (keeps_) {
      pointer<uint32_t>(l_.plan.source_rows)[source] = t_.received[source];
      pointer<uint32_t>(l_.plan.source_tokens)[source] = t_.tokens[source];
      pointer<uint64_t>(l_.plan.source_hash)[source] = h.hash;
    }
  }

  JGIN_D bool is_sound(uint32_t source, const jgin_count_header& h) {
    if (h.epoch != epoch_) return wrong(source, h, JGIN_MISSING, epoch_, h.epoch);
    if (h.source_rank != source) return wrong(source, h, JGIN_PHANTOM, source, h.source_rank);
    if (h.cached == 1 && !cached_) return wrong(source, h, JGIN_MISSING, 0, 1);
    if (h.rows > h.tokens || h.tokens > s_.max_tokens) {
      return wrong(source, h, JGIN_OUT_OF_BOUNDS, s_.max_tokens, h.rows);
    }
    uint64_t expected = cached_
        ? pointer<const uint64_t>(l_.plan.source_hash)[source]
        : checksum::count_hash(JGIN_COUNT_SEED, h.rows, h.tokens, t_.parts[source]);
    return h.hash == expected || wrong(source, h, JGIN_TORN, expected, h.hash);
  }

  JGIN_D bool wrong(uint32_t source, const jgin_count_header& h, uint32_t symptom, int64_t expected,
                    int64_t seen) {
    if (blockIdx.x == 0) {
      report(l_.rank, {JGIN_CHECK_COUNT_BLOCK, symptom, JGIN_KERNEL_DISPATCH_EPILOGUE,
                       static_cast<int32_t>(source), JGIN_NONE, epoch_, h.epoch, expected, seen,
                       JGIN_NONE, JGIN_NONE});
    }
    return false;
  }

  const jgin_launch& l_;
  const jgin_shape& s_;
  const Tables& t_;
  uint64_t epoch_;
  bool cached_;
  bool keeps_;
};

/// Lays out expert rows: adjacent for an expert, in order of source, then place; each expert's first
/// row a multiple of the alignment. By all threads. False if there is no room; the error word says so.
JGIN_D bool lay_out(const jgin_launch& l, const Tables& t) {
  const jgin_shape& s = l.rank.shape;
  uint32_t el = s.local_experts;
  for (uint32_t e = threadIdx.x; e < el; e += blockDim.x) {
    uint32_t sum = 0;
    for (uint32_t source = 0; source < s.ranks; source++) sum += t.counts[source * el + e];
    t.rows[e] = sum;
  }
  __syncthreads();
  uint64_t total = block_scan(el, t.start, t.scratch, [&](uint32_t e) {
    return round_up<uint64_t>(t.rows[e], s.expert_alignment);
  });
  uint64_t received =
      block_scan(s.ranks, t.received, t.scratch, [&](uint32_t r) -> uint64_t { return t.received[r]; });
  uint64_t rows = s.layout == JGIN_EXPANDED ? total : received;
  if (rows > s.expert_rows || received > s.received_rows) {
    if (threadIdx.x == 0) {
      fail(l.rank, JGIN_ERROR_CAPACITY, JGIN_KERNEL_DISPATCH_EPILOGUE, JGIN_ERROR_NO_PEER,
           rows > s.expert_rows ? rows : received);
    }
    return false;
  }
  for (uint32_t e = threadIdx.x; e < el; e += blockDim.x) {
    uint32_t next = t.start[e];
    for (uint32_t source = 0; source < s.ranks; source++) {
      t.base[source * el + e] = next;
      next += t.counts[source * el + e];
    }
    if (blockIdx.x == 0) pointer<uint32_t>(l.plan.expert_row_counts)[e] = t.rows[e];
  }
  for (uint32_t e = threadIdx.x; e <= el && blockIdx.x == 0; e += blockDim.x) {
    pointer<uint32_t>(l.plan.expert_start)[e] = t.start[e];
  }
  __syncthreads();
  return true;
}

}  // namespace jgin::epilogue
