// SPDX-License-Identifier: Apache-2.0
// C: expert output returns to the tokens that it belongs to. Rows return as they are (canonical, or one
// row per token), a warp a row; or summed over this rank's experts first (reduced over expanded rows),
// a block a row. Then the signals. Waits for nothing but room in a proxy's ring.
#pragma once

#include "jgin/exchange.cuh"
#include "jgin/pipe.cuh"
#include "jgin/rows.cuh"

namespace jgin::back {

inline constexpr uint32_t KERNEL = JGIN_KERNEL_COMBINE_SEND;

/// One row on its way back.
struct Item {
  int32_t source = JGIN_NONE;  // the rank that it returns to; JGIN_NONE = padding, or left out
  uint32_t token = 0;
  uint32_t lane = 0;
  uint32_t place = 0;
  uint32_t row = 0;  // in the expert output
};

/// What returns for row `row` of the expert output, whose received row is `received`.
JGIN_D Item item_of(const jgin_rank& r, uint32_t row, int32_t received) {
  Item item;
  if (received < 0) return item;
  const jgin_shape& s = r.shape;
  item.row = row;
  item.source = pointer<const int32_t>(r.received_source)[received];
  item.token = pointer<const int32_t>(r.received_token)[received];
  if (s.combine_mode == JGIN_CANONICAL) {
    item.lane = item.place = pointer<const int32_t>(r.row_lane)[row];
  } else {
    item.lane = pointer<const int32_t>(r.received_lane)[received];
    item.place = pointer<const int32_t>(r.received_ordinal)[received];
  }
  return item;
}

/// Where a row goes, and how: by bulk copy to a peer, or through the send window and a proxy.
class Sender {
 public:
  JGIN_D Sender(const jgin_rank& r, Proxy& proxy, uint64_t epoch)
      : r_(r), s_(r.shape), proxy_(proxy), epoch_(epoch) {}

  JGIN_D jgin_return_header header(const Item& item) const {
    return {epoch_, s_.rank, item.token, 0, item.lane, s_.stream};
  }

  /// By one thread; the row is complete in shared memory and known to the asynchronous proxy.
  JGIN_D void send(const char* row, const Item& item, uint32_t send_slot) {
    const jgin_peer& peer = pointer<const jgin_peer>(r_.peers)[item.source];
    uint64_t offset = returned_at(s_, epoch_, item.token, item.place);
    if (peer.kind == JGIN_PEER_NVLINK) {
      NvLink::put_shared(NvLink::target(peer, JGIN_WINDOW_RECEIVE_RETURNS) + offset, row,
                         s_.return_bytes);
      bulk_commit();
      return;
    }
    uint64_t at = send_slot * s_.return_stride;
    bulk_store(pointer<char>(r_.send_returns) + at, row, s_.return_bytes);
    bulk_commit();
    bulk_wait_all();
    fence_proxies();
    uint64_t slot = static_cast<uint64_t>(item.token) * s_.lanes + item.place;
    uint32_t to = item.source;
    proxy_.put({context_of(s_, slot, to, epoch_), to, JGIN_WINDOW_SEND_RETURNS,
                JGIN_WINDOW_RECEIVE_RETURNS, at, offset, s_.return_bytes},
               0);
  }

 private:
  const jgin_rank& r_;
  const jgin_shape& s_;
  Proxy& proxy_;
  uint64_t epoch_;
};

/// One warp's share of rows that return as they are. Origins are looked up for 32 rows at once, a lane
/// a row, so that the chain of look-ups is waited for once in 32 rows.
class Rows {
 public:
  JGIN_D Rows(const jgin_rank& r, const Pipe& pipe, Sender& sender, uint32_t first, uint32_t step,
              uint32_t rows)
      : r_(r), s_(r.shape), pipe_(pipe), sender_(sender), first_(first), step_(step), rows_(rows),
        // Rows are in order of source within an expert: were all ranks to begin at the front, rank 0
        // would be every rank's target at once.
        turn_(static_cast<uint32_t>(static_cast<uint64_t>(rows) * s_.rank / s_.ranks)),
        lane_(threadIdx.x % 32), policy_(policy_evict_first()) {}

  JGIN_D void send() {
    Item item;
    uint32_t loaded = 0;
    for (; loaded < pipe_.ahead() && next(item); loaded++) load(loaded, item);
    for (uint32_t i = 0; i < loaded; i++) {
      store(i);
      pipe_.wait_free();
      if (next(item)) load(loaded++, item);
    }
    NvLink::flush();
  }

 private:
  /// The next row that returns, in all lanes; false if there is none.
  JGIN_D bool next(Item& item) {
    while (pending_ == 0) {
      if (looked_ >= (first_ < rows_ ? ceil_div(rows_ - first_, step_) : 0)) return false;
      uint64_t at = first_ + (static_cast<uint64_t>(looked_) + lane_) * step_;
      mine_ = Item();
      if (at < rows_) {
        uint32_t row = at + turn_ < rows_ ? at + turn_ : at + turn_ - rows_;
        mine_ = item_of(r_, row, pointer<const int32_t>(r_.row_received)[row]);
      }
      pending_ = __ballot_sync(ALL_LANES, mine_.source >= 0);
      looked_ += 32;
    }
    int from = __ffs(pending_) - 1;
    pending_ &= pending_ - 1;
    item.source = __shfl_sync(ALL_LANES, mine_.source, from);
    item.token = __shfl_sync(ALL_LANES, mine_.token, from);
    item.lane = __shfl_sync(ALL_LANES, mine_.lane, from);
    item.place = __shfl_sync(ALL_LANES, mine_.place, from);
    item.row = __shfl_sync(ALL_LANES, mine_.row, from);
    return true;
  }

  // A stage: 64 bytes for the item, 32 of them unused; then the row.
  static constexpr uint32_t ROW = JGIN_LINE;

  JGIN_D void load(uint32_t i, const Item& item) {
    if (lane_ != 0) return;
    char* stage = pipe_.stage(i);
    *reinterpret_cast<Item*>(stage) = item;
    *reinterpret_cast<jgin_return_header*>(stage + ROW) = sender_.header(item);
    mbarrier_expect(pipe_.barrier(i), s_.combine_bytes);
    bulk_load(stage + ROW + sizeof(jgin_return_header),
              pointer<const char>(r_.expert_output) + item.row * s_.combine_bytes, s_.combine_bytes,
              pipe_.barrier(i), policy_);
  }

  JGIN_D void store(uint32_t i) {
    char* stage = pipe_.stage(i);
    pipe_.wait(i);
    if (s_.audit != 0) {
      __syncwarp();
      uint64_t sum = warp_row_checksum(stage + ROW, s_.return_bytes);
      if (lane_ == 0) reinterpret_cast<jgin_return_header*>(stage + ROW)->checksum = sum;
    }
    if (lane_ == 0) {
      // The header was written through the generic proxy, the bulk copy reads it through the other.
      fence_proxies_shared();
      const Item& item = *reinterpret_cast<const Item*>(stage);
      sender_.send(stage + ROW, item, item.row);
    }
    __syncwarp();
  }

  const jgin_rank& r_;
  const jgin_shape& s_;
  const Pipe& pipe_;
  Sender& sender_;
  uint32_t first_;
  uint32_t step_;
  uint32_t rows_;
  uint32_t turn_;
  uint32_t lane_;
  uint64_t policy_;
  uint32_t looked_ = 0;
  uint32_t pending_ = 0;
  Item mine_;
};

/// Received rows, summed over their lanes of this rank, a block a row: two rows in shared memory.
template <uint32_t DTYPE>
JGIN_D void send_sums(const jgin_launch& l, Sender& sender, char* memory, uint32_t rows) {
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
      sum_rows<DTYPE>(lanes, address, weight, c, columns, [&] { return lanes; }, sum);
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

}  // namespace jgin::back

extern "C" __global__ void __launch_bounds__(JGIN_THREADS_COMBINE, 1)
    jgin_combine_send(const __grid_constant__ jgin_launch l) {
  using namespace jgin;
  using namespace jgin::back;
  extern __shared__ __align__(128) char shared_memory[];
  const jgin_shape& s = l.rank.shape;
  uint32_t stage = JGIN_LINE + s.return_stride;
  Division division = divide(dynamic_shared_bytes() - PIPE_HEAD, stage);
  bool sums = s.combine_mode == JGIN_REDUCED && s.layout == JGIN_EXPANDED;
  Pipe pipe(shared_memory, division, stage);
  __syncthreads();
  dependency_wait();
  dependency_launch();
  uint64_t epoch = pointer<const jgin_state>(l.rank.state)->combine_epoch + 1;
  Proxy proxy(l.rank, KERNEL, JGIN_OP_COMBINE, epoch);
  Sender sender(l.rank, proxy, epoch);
  if (__syncthreads_and(may_begin(l.rank, KERNEL))) {
    const auto* start = pointer<const uint32_t>(l.plan.expert_start);
    uint32_t received = 0;
    if (sums || s.layout == JGIN_ONE_ROW_PER_TOKEN) {
      for (uint32_t r = 0; r < s.ranks; r++) received += pointer<const uint32_t>(l.plan.source_rows)[r];
    }
    uint32_t warp = threadIdx.x / 32;
    if (sums) {
      char* memory = shared_memory + PIPE_HEAD;
      switch (s.combine_dtype) {
        case JGIN_BF16: send_sums<JGIN_BF16>(l, sender, memory, received); break;
        case JGIN_FP16: send_sums<JGIN_FP16>(l, sender, memory, received); break;
        default: send_sums<JGIN_FP32>(l, sender, memory, received); break;
      }
    } else if (warp < division.warps) {
      uint32_t rows = s.layout == JGIN_EXPANDED ? start[s.local_experts] : received;
      Rows(l.rank, pipe, sender, warp * gridDim.x + blockIdx.x, division.warps * gridDim.x, rows).send();
    }
  }
  if (last_block(l.rank, KERNEL) && error_of(l.rank) == 0) {
    signal_all(l.rank, KERNEL, JGIN_OP_COMBINE, epoch);
  }
}
