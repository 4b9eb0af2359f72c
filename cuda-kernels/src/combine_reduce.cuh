// SPDX-License-Identifier: Apache-2.0
// D: waits for every peer's signals, checks each returned row, and sums what returned for each token: in
// lane order (canonical, weighted), or in order of each rank's first lane (reduced). A warp takes one
// kilobyte of a token at a time, so that one token already keeps many SMs busy.
#pragma once

#include "jgin/exchange.cuh"
#include "jgin/rows.cuh"

namespace jgin::reduce {

inline constexpr uint32_t KERNEL = JGIN_KERNEL_COMBINE_REDUCE;

/// What one lane of the warp expects to have returned.
struct Returned {
  bool expected = false;
  float weight = 0.0f;
  uint32_t peer = 0;
  uint32_t place = 0;
  const char* row = nullptr;
};

JGIN_D Returned returned_of(const jgin_launch& l, uint64_t epoch, uint32_t token) {
  const jgin_shape& s = l.rank.shape;
  uint32_t k = threadIdx.x % 32;
  Returned r;
  uint64_t at = static_cast<uint64_t>(token) * s.top_k + k;
  int32_t id = k < s.top_k ? pointer<const int32_t>(l.plan.ids)[at] : JGIN_NONE;
  r.expected = id != JGIN_NONE;
  r.peer = r.expected ? owner(s.experts, s.ranks, id) : 0xFFFFFFFFu;
  if (s.combine_mode == JGIN_CANONICAL) {
    r.place = k;
    r.weight = r.expected ? pointer<const float>(l.plan.weights)[at] : 0.0f;
  } else {
    // One row for each rank of the token, at the rank's place in order of first lane.
    uint32_t below = (1u << k) - 1, alike = __match_any_sync(ALL_LANES, r.peer);
    r.expected = r.expected && (alike & below) == 0;
    r.place = __popc(__ballot_sync(ALL_LANES, r.expected) & below);
    r.weight = 1.0f;
  }
  if (r.expected) {
    r.row = pointer<const char>(pointer<const jgin_peer>(l.rank.peers)[r.peer].local_returns) +
            returned_at(s, epoch, token, r.place);
  }
  return r;
}

/// Which lanes' rows may be added. By a warp; headers have been loaded.
JGIN_D uint32_t believe(const jgin_launch& l, uint64_t epoch, uint32_t token, const Returned& r,
                        const jgin_return_header& h, bool reports) {
  const jgin_shape& s = l.rank.shape;
  uint32_t k = threadIdx.x % 32;
  uint32_t check = JGIN_CHECKS, symptom = 0;
  int64_t expected = 0, seen = 0;
  if (!r.expected) {
  } else if (checks(s, JGIN_CHECK_EPOCH_TAG) && h.epoch != epoch) {
    check = JGIN_CHECK_EPOCH_TAG, symptom = JGIN_MISSING, expected = epoch, seen = h.epoch;
  } else if (checks(s, JGIN_CHECK_SOURCE) && (h.rank != r.peer || h.token != token || h.lane != k ||
                                              h.stream != s.stream)) {
    check = JGIN_CHECK_SOURCE, symptom = JGIN_PHANTOM, expected = r.peer, seen = h.rank;
  }
  if (s.audit != 0 && checks(s, JGIN_CHECK_CHECKSUM)) {
    uint32_t rows = __ballot_sync(ALL_LANES, r.expected && check == JGIN_CHECKS);
    for (; rows != 0; rows &= rows - 1) {
      int from = __ffs(rows) - 1;
      const char* row = reinterpret_cast<const char*>(
          __shfl_sync(ALL_LANES, reinterpret_cast<uint64_t>(r.row), from));
      uint64_t sum = warp_row_checksum(row, s.return_bytes);
      if (static_cast<int>(k) == from && sum != h.checksum) {
        check = JGIN_CHECK_CHECKSUM, symptom = JGIN_TORN, expected = sum, seen = h.checksum;
      }
    }
  }
  if (check != JGIN_CHECKS && reports) {
    report(l.rank, {check, symptom, KERNEL, static_cast<int32_t>(r.peer),
                    static_cast<int64_t>(token) * s.lanes + r.place, epoch, h.epoch, expected, seen,
                    static_cast<int32_t>(h.token), static_cast<int32_t>(k)});
  }
  return __ballot_sync(ALL_LANES, r.expected && check == JGIN_CHECKS);
}

template <uint32_t DTYPE>
JGIN_D void reduce(const jgin_launch& l, uint64_t epoch, uint32_t tokens) {
  const jgin_shape& s = l.rank.shape;
  uint32_t lane = threadIdx.x % 32, columns = s.combine_bytes / 16;
  uint32_t slices = ceil_div(columns, 64u);
  // A checksum is of a whole row: in audit mode a warp takes whole tokens.
  uint32_t together = s.audit != 0 ? slices : 1;
  uint32_t per_token = slices / together;
  uint64_t units = static_cast<uint64_t>(tokens) * per_token;
  uint64_t step = static_cast<uint64_t>(gridDim.x) * (blockDim.x / 32);
  for (uint64_t unit = threadIdx.x / 32 * gridDim.x + blockIdx.x; unit < units; unit += step) {
    uint32_t token = unit / per_token, first = unit % per_token * together;
    Returned r = returned_of(l, epoch, token);
    uint4 head[2] = {};
    if (r.expected) {
      head[0] = load_once(r.row);
      head[1] = load_once(r.row + 16);
    }
    uint32_t rows = __ballot_sync(ALL_LANES, r.expected), believed = 0;
    for (uint32_t slice = first; slice < first + together; slice++) {
      uint32_t column = slice * 64 + lane;
      uint4 sum[2];
      sum_rows<DTYPE>(
          rows, r.row + sizeof(jgin_return_header), r.weight, column, columns,
          [&] {
            if (slice == first) {
              believed = believe(l, epoch, token, r, *reinterpret_cast<jgin_return_header*>(head),
                                 first == 0);
            }
            return believed;
          },
          sum);
      char* out = pointer<char>(l.rank.output) + token * s.combine_bytes;
      if (column < columns) store_wide(out + column * 16ull, sum[0]);
      if (column + 32 < columns) store_wide(out + (column + 32) * 16ull, sum[1]);
    }
  }
}

}  // namespace jgin::reduce

extern "C" __global__ void __launch_bounds__(JGIN_THREADS_REDUCE, 1)
    jgin_combine_reduce(const __grid_constant__ jgin_launch l) {
  using namespace jgin;
  using namespace jgin::reduce;
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
      case JGIN_BF16: reduce::reduce<JGIN_BF16>(l, epoch, tokens); break;
      case JGIN_FP16: reduce::reduce<JGIN_FP16>(l, epoch, tokens); break;
      default: reduce::reduce<JGIN_FP32>(l, epoch, tokens); break;
    }
  }
  if (last_block(l.rank, KERNEL) && threadIdx.x == 0) {
    if (error_of(l.rank) == 0) state->combine_epoch = epoch;
    publish(l.rank, &pointer<jgin_report>(l.rank.report)->combine_epoch, epoch);
  }
}
