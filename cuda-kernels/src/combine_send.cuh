// SPDX-License-Identifier: Apache-2.0
// C: expert output returns to the tokens that it belongs to. Rows return as they are (canonical, or one
// row per token), a warp a row; or summed over this rank's experts first (combine_sums.cuh). Then the
// signals. Waits for nothing but room in a proxy's ring.
#pragma once

#include "combine_sums.cuh"
#include "jgin/pipe.cuh"

namespace jgin::back {

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
  // Sums divide the memory otherwise: an mbarrier is initialised once.
  if (sums) division.warps = 0;
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
      switch (s.combine_dtype) {
        case JGIN_BF16: send_sums<JGIN_BF16>(l, sender, shared_memory, epoch, received); break;
        case JGIN_FP16: send_sums<JGIN_FP16>(l, sender, shared_memory, epoch, received); break;
        default: send_sums<JGIN_FP32>(l, sender, shared_memory, epoch, received); break;
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
