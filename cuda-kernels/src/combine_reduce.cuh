// SPDX-License-Identifier: Apache-2.0
// D: waits for every peer's signals, checks each returned row, and sums what returned for each token: in
// lane order (canonical, weighted), or in order of each rank's first lane (reduced). A warp takes a piece
// of a token at a time, so that one token already keeps many SMs busy.
#pragma once

#include "jgin/exchange.cuh"
#include "sum_pipe.cuh"

namespace jgin::reduce {

inline constexpr uint32_t KERNEL = JGIN_KERNEL_COMBINE_REDUCE;

/// What returned for tokens, as SumPipe asks for it: items are tokens.
class Returned {
 public:
  static constexpr bool HEADS = true;
  static constexpr uint32_t RESULT_HEAD = 0;

  struct Ahead {
    int32_t id = JGIN_NONE;
    float weight = 0.0f;
  };

  JGIN_D Returned(const jgin_launch& l, uint64_t epoch) : l_(l), s_(l.rank.shape), epoch_(epoch) {}

  JGIN_D Ahead ahead(uint32_t token) const {
    uint32_t k = threadIdx.x % 32;
    uint64_t at = static_cast<uint64_t>(token) * s_.top_k + k;
    if (k >= s_.top_k) return {};
    return {pointer<const int32_t>(l_.plan.ids)[at], pointer<const float>(l_.plan.weights)[at]};
  }

  JGIN_D Summand resolve(uint32_t token, const Ahead& ahead) const {
    uint32_t k = threadIdx.x % 32;
    bool expected = ahead.id != JGIN_NONE;
    Summand row;
    row.peer = expected ? owner(s_.experts, s_.ranks, ahead.id) : 0xFFFFFFFFu;
    row.place = k;
    row.weight = ahead.weight;
    if (s_.combine_mode == JGIN_REDUCED) {
      // One row for each rank of the token, at the rank's place in order of first lane.
      uint32_t below = (1u << k) - 1, alike = __match_any_sync(ALL_LANES, row.peer);
      expected = expected && (alike & below) == 0;
      row.place = __popc(__ballot_sync(ALL_LANES, expected) & below);
      row.weight = 1.0f;
    }
    if (expected) {
      row.payload = pointer<const char>(pointer<const jgin_peer>(l_.rank.peers)[row.peer].local_returns) +
                    returned_at(s_, epoch_, token, row.place) + sizeof(jgin_return_header);
    }
    return row;
  }

  JGIN_D char* out(uint32_t token, const Ahead&) const {
    return pointer<char>(l_.rank.output) + token * s_.combine_bytes;
  }

  JGIN_D void begin(uint32_t, char*) const {}

  /// Whether a row may be added; all but its checksum.
  JGIN_D bool believe(uint32_t token, const Kept& row, const jgin_return_header& h, bool reports) const {
    if (checks(s_, JGIN_CHECK_EPOCH_TAG) && h.epoch != epoch_) {
      return wrong(token, row, h, JGIN_CHECK_EPOCH_TAG, JGIN_MISSING, epoch_, h.epoch, reports);
    }
    if (checks(s_, JGIN_CHECK_SOURCE) &&
        (h.rank != row.peer || h.token != token || h.lane != row.lane || h.stream != s_.stream)) {
      return wrong(token, row, h, JGIN_CHECK_SOURCE, JGIN_PHANTOM, row.peer, h.rank, reports);
    }
    return true;
  }

  JGIN_D bool wrong(uint32_t token, const Kept& row, const jgin_return_header& h, uint32_t check,
                    uint32_t symptom, int64_t expected, int64_t seen, bool reports) const {
    if (reports) {
      report(l_.rank, {check, symptom, KERNEL, static_cast<int32_t>(row.peer),
                       static_cast<int64_t>(token) * s_.lanes + row.place, epoch_, h.epoch, expected, seen,
                       static_cast<int32_t>(h.token), static_cast<int32_t>(row.lane)});
    }
    return false;
  }

 private:
  const jgin_launch& l_;
  const jgin_shape& s_;
  uint64_t epoch_;
};

/// Audit mode: a checksum is of a whole row, so a warp takes a whole token, straight from memory.
template <uint32_t DTYPE>
JGIN_D void reduce_audited(const jgin_launch& l, const Returned& returned, uint32_t tokens) {
  const jgin_shape& s = l.rank.shape;
  uint32_t lane = threadIdx.x % 32, columns = s.combine_bytes / 16;
  uint32_t step = gridDim.x * (blockDim.x / 32);
  for (uint32_t token = threadIdx.x / 32 * gridDim.x + blockIdx.x; token < tokens; token += step) {
    Summand row = returned.resolve(token, returned.ahead(token));
    Kept kept = {row.weight, lane, row.peer, row.place};
    uint4 head[2] = {};
    if (row.payload != nullptr) {
      head[0] = load_once(row.payload - 32);
      head[1] = load_once(row.payload - 16);
    }
    const auto& h = *reinterpret_cast<const jgin_return_header*>(head);
    bool mine = row.payload != nullptr && returned.believe(token, kept, h, true);
    uint32_t believed = __ballot_sync(ALL_LANES, mine);
    for (uint32_t left = checks(s, JGIN_CHECK_CHECKSUM) ? believed : 0; left != 0; left &= left - 1) {
      int from = __ffs(left) - 1;
      uint64_t at = __shfl_sync(ALL_LANES, reinterpret_cast<uint64_t>(row.payload) - 32, from);
      uint64_t sum = warp_row_checksum(reinterpret_cast<const char*>(at), s.return_bytes);
      if (static_cast<int>(lane) == from && sum != h.checksum) {
        mine = returned.wrong(token, kept, h, JGIN_CHECK_CHECKSUM, JGIN_TORN, sum, h.checksum, true);
      }
    }
    believed = __ballot_sync(ALL_LANES, mine);
    char* out = returned.out(token, {});
    for (uint32_t c = lane; c - lane < columns; c += 64) {
      uint4 sum[2];
      sum_rows<DTYPE>(believed, row.payload, row.weight, c, columns, sum);
      if (c < columns) store_wide(out + c * 16ull, sum[0]);
      if (c + 32 < columns) store_wide(out + (c + 32) * 16ull, sum[1]);
    }
  }
}

template <uint32_t DTYPE>
JGIN_D void reduce(const jgin_launch& l, uint64_t epoch, uint32_t tokens, char* memory) {
  Returned returned(l, epoch);
  if (l.rank.shape.audit != 0) {
    reduce_audited<DTYPE>(l, returned, tokens);
  } else {
    SumPipe<DTYPE, Returned>(l.rank.shape, returned, l.rank.shape.lanes, tokens).run(memory);
  }
}

}  // namespace jgin::reduce

extern "C" __global__ void __launch_bounds__(JGIN_THREADS_REDUCE, 1)
    jgin_combine_reduce(const __grid_constant__ jgin_launch l) {
  using namespace jgin;
  using namespace jgin::reduce;
  extern __shared__ __align__(128) char shared_memory[];
  const jgin_shape& s = l.rank.shape;
  // Nothing of a receive window may be loaded in front of this: see jgin_dispatch_epilogue.
  dependency_wait();
  dependency_launch();
  auto* state = pointer<jgin_state>(l.rank.state);
  uint64_t epoch = state->combine_epoch + 1;
  bool begun = __syncthreads_and(may_begin(l.rank, KERNEL));
  if (begun && wait_all(l.rank, KERNEL, JGIN_OP_COMBINE, epoch)) {
    uint32_t tokens = *pointer<const uint32_t>(l.plan.tokens);
    switch (s.combine_dtype) {
      case JGIN_BF16: reduce::reduce<JGIN_BF16>(l, epoch, tokens, shared_memory); break;
      case JGIN_FP16: reduce::reduce<JGIN_FP16>(l, epoch, tokens, shared_memory); break;
      default: reduce::reduce<JGIN_FP32>(l, epoch, tokens, shared_memory); break;
    }
  }
  if (last_block(l.rank, KERNEL) && threadIdx.x == 0) {
    if (error_of(l.rank) == 0) state->combine_epoch = epoch;
    publish(l.rank, &pointer<jgin_report>(l.rank.report)->combine_epoch, epoch);
  }
}
