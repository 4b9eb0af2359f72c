// SPDX-License-Identifier: Apache-2.0
// C, reduced over expanded rows: a token's rows are summed over this rank's experts before they return.
#pragma once

#include "return_row.cuh"
#include "sum_pipe.cuh"

namespace jgin::back {

/// The local lanes of received rows, as SumPipe asks for them: items are received rows. NVLINK only.
class Sums {
 public:
  static constexpr bool HEADS = false;
  static constexpr uint32_t RESULT_HEAD = sizeof(jgin_return_header);

  struct Ahead {
    int32_t row = JGIN_NONE;
    float weight = 0.0f;
    int32_t source = JGIN_NONE;
    uint32_t token = 0;
    uint32_t place = 0;
  };

  JGIN_D Sums(const jgin_rank& r, const Sender& sender, uint64_t epoch, uint32_t rows)
      : r_(r), s_(r.shape), sender_(sender), epoch_(epoch), rows_(rows),
        // Rows are in order of source: were all ranks to begin at the front, rank 0 would be every
        // rank's target at once.
        turn_(static_cast<uint32_t>(static_cast<uint64_t>(rows) * s_.rank / s_.ranks)) {}

  JGIN_D Ahead ahead(uint32_t item) const {
    Ahead a;
    uint32_t k = threadIdx.x % 32, row = turned(item);
    uint64_t at = static_cast<uint64_t>(row) * s_.top_k + k;
    a.source = pointer<const int32_t>(r_.received_source)[row];
    a.token = pointer<const int32_t>(r_.received_token)[row];
    a.place = pointer<const int32_t>(r_.received_ordinal)[row];
    if (k < s_.top_k) {
      a.row = pointer<const int32_t>(r_.received_row)[at];
      a.weight = pointer<const float>(r_.received_weight)[at];
    }
    return a;
  }

  JGIN_D Summand resolve(uint32_t, const Ahead& a) const {
    if (a.row < 0 || a.source < 0) return {};
    return {pointer<const char>(r_.expert_output) + a.row * s_.combine_bytes, a.weight, 0, 0};
  }

  JGIN_D char* out(uint32_t, const Ahead& a) const {
    if (a.source < 0) return nullptr;
    return NvLink::target(pointer<const jgin_peer>(r_.peers)[a.source], JGIN_WINDOW_RECEIVE_RETURNS) +
           returned_at(s_, epoch_, a.token, a.place) + sizeof(jgin_return_header);
  }

  JGIN_D void begin(uint32_t item, char* head) const {
    uint32_t row = turned(item);
    Item header;
    header.token = pointer<const int32_t>(r_.received_token)[row];
    header.lane = pointer<const int32_t>(r_.received_lane)[row];
    *reinterpret_cast<jgin_return_header*>(head) = sender_.header(header);
  }

  JGIN_D bool believe(uint32_t, const Kept&, const jgin_return_header&, bool) const { return true; }

 private:
  JGIN_D uint32_t turned(uint32_t item) const {
    return item + turn_ < rows_ ? item + turn_ : item + turn_ - rows_;
  }

  const jgin_rank& r_;
  const jgin_shape& s_;
  const Sender& sender_;
  uint64_t epoch_;
  uint32_t rows_;
  uint32_t turn_;
};

/// Received rows, summed over their lanes of this rank, a block a row: two rows in shared memory. For
/// checksums and proxies, which want a row whole.
template <uint32_t DTYPE>
JGIN_D void send_whole_sums(const jgin_launch& l, Sender& sender, char* memory, uint32_t rows) {
  const jgin_rank& r = l.rank;
  const jgin_shape& s = r.shape;
  uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  uint32_t columns = s.combine_bytes / 16, stages = s.return_stride * 2 <= dynamic_shared_bytes() ? 2 : 1;
  uint32_t turn = static_cast<uint32_t>(static_cast<uint64_t>(rows) * s.rank / s.ranks);
  uint32_t stage = 0;
  for (uint32_t i = blockIdx.x; i < rows; i += gridDim.x) {
    uint32_t row = i + turn < rows ? i + turn : i + turn - rows;
    Item item;
    item.source = pointer<const int32_t>(r.received_source)[row];
    if (item.source < 0) continue;
    item.token = pointer<const int32_t>(r.received_token)[row];
    item.lane = pointer<const int32_t>(r.received_lane)[row];
    item.place = pointer<const int32_t>(r.received_ordinal)[row];
    uint64_t at = static_cast<uint64_t>(row) * s.top_k + lane;
    int32_t from = lane < s.top_k ? pointer<const int32_t>(r.received_row)[at] : JGIN_NONE;
    float weight = from >= 0 ? pointer<const float>(r.received_weight)[at] : 0.0f;
    uint32_t lanes = __ballot_sync(ALL_LANES, from >= 0);
    const char* address = pointer<const char>(r.expert_output) +
                          (from >= 0 ? static_cast<uint64_t>(from) * s.combine_bytes : 0);
    // The stage that is written now was stored from two rows ago, or one.
    if (threadIdx.x == 0) {
      if (stages == 2) bulk_wait_read<1>(); else bulk_wait_read<0>();
    }
    __syncthreads();
    char* out = memory + stage * s.return_stride;
    for (uint32_t c = warp * 64 + lane; c - lane < columns; c += warps * 64) {
      uint4 sum[2];
      sum_rows<DTYPE>(lanes, address, weight, c, columns, sum);
      auto* to = reinterpret_cast<uint4*>(out + sizeof(jgin_return_header));
      if (c < columns) to[c] = sum[0];
      if (c + 32 < columns) to[c + 32] = sum[1];
    }
    if (threadIdx.x == 0) *reinterpret_cast<jgin_return_header*>(out) = sender.header(item);
    if (s.audit != 0) {
      __syncthreads();
      if (warp == 0) {
        uint64_t checksum = warp_row_checksum(out, s.return_bytes);
        if (lane == 0) reinterpret_cast<jgin_return_header*>(out)->checksum = checksum;
      }
    }
    // Each thread makes its part of the row known to the asynchronous proxy before it is stored.
    fence_proxies_shared();
    __syncthreads();
    if (threadIdx.x == 0) sender.send(out, item, row);
    stage = stages == 2 ? stage ^ 1 : 0;
  }
  NvLink::flush();
}

template <uint32_t DTYPE>
JGIN_D void send_sums(const jgin_launch& l, Sender& sender, char* memory, uint64_t epoch, uint32_t rows) {
  const jgin_shape& s = l.rank.shape;
  if (s.audit != 0 || l.rank.proxy_peers != 0) {
    send_whole_sums<DTYPE>(l, sender, memory, rows);
  } else {
    Sums sums(l.rank, sender, epoch, rows);
    SumPipe<DTYPE, Sums>(s, sums, min(s.top_k, max(s.local_experts, 1u)), rows).run(memory);
  }
}

}  // namespace jgin::back
