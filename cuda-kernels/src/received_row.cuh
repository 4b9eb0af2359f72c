// SPDX-License-Identifier: Apache-2.0
// What B knows of one received row before it believes it, and what it does to the output of one that it does
// not believe.
#pragma once

#include "jgin/layout.h"
#include "jgin/rows.cuh"

namespace jgin::epilogue {

/// The head of a received row, as one lane sees it: the header in all lanes, and its own lane's part.
struct Head {
  uint4 header[2];
  uint4 before;  // the first 16 bytes of the row in the slot before
  int32_t id;
  float weight;
  uint32_t place;

  JGIN_D const jgin_row_header& row() const { return *reinterpret_cast<const jgin_row_header*>(header); }
};

/// The place of this rank among the ranks of the token, in order of first lane: it is where the
/// partial sum returns to.
JGIN_D void find_first_lane(const jgin_shape& s, int32_t id, uint32_t& first, uint32_t& ordinal) {
  uint32_t lane = threadIdx.x % 32;
  bool valid = id >= 0 && id < static_cast<int32_t>(s.experts);
  uint32_t rank = valid ? owner(s.experts, s.ranks, id) : 0xFFFFFFFFu;
  uint32_t alike = __match_any_sync(ALL_LANES, rank);
  uint32_t below = (1u << lane) - 1;
  uint32_t firsts = __ballot_sync(ALL_LANES, valid && (alike & below) == 0);
  uint32_t mine = __ballot_sync(ALL_LANES, rank == s.rank);
  if (mine == 0) return;
  first = __ffs(mine) - 1;
  ordinal = __popc(firsts & ((1u << first) - 1));
}

/// Zeroes an output row. By a warp.
JGIN_D void clear_row(const jgin_rank& r, uint32_t row) {
  const jgin_shape& s = r.shape;
  uint32_t lane = threadIdx.x % 32;
  char* payload = pointer<char>(r.expert_payload) + row * s.payload_bytes;
  char* scales = pointer<char>(r.expert_scales) + row * s.scale_bytes;
  for (uint32_t i = lane * 16; i < s.payload_bytes; i += 512) {
    store_wide(payload + i, make_uint4(0, 0, 0, 0));
  }
  for (uint32_t i = lane; i < s.scale_bytes; i += 32) scales[i] = 0;
}

}  // namespace jgin::epilogue
