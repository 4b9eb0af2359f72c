// SPDX-License-Identifier: Apache-2.0
// Weighted sums of rows, piece by piece: a warp takes up to a few kilobytes of one result, loads that part
// of all its rows by bulk copies, several results ahead, and adds them up in lane order. C and D differ
// in where rows come from, whether headers are judged, and where the result goes.
#pragma once

#include "jgin/nvlink.cuh"
#include "jgin/pipe.cuh"
#include "jgin/rows.cuh"
#include "jgin/session.cuh"

namespace jgin {

/// One lane's row of a result.
struct Summand {
  const char* payload = nullptr;  // nullptr = no row
  float weight = 0.0f;
  uint32_t peer = 0;
  uint32_t place = 0;
};

/// A summand as it is kept with its stage.
struct Kept {
  float weight;
  uint32_t lane;
  uint32_t peer;
  uint32_t place;
};

/// In front of a stage.
struct StageHead {
  uint32_t item;
  uint32_t slice;
  uint32_t rows;
  uint32_t reserved;
  char* out;  // of the result's payload; nullptr = there is none
};

/// `Rows` says what is summed:
///   HEADS                      whether rows have a header of 32 bytes in front, to be judged
///   RESULT_HEAD                bytes of a result's header: 0 or 32
///   Ahead ahead(item)          by all lanes: starts to load what resolve needs
///   Summand resolve(item, a)   by all lanes: this lane's row
///   char* out(item, a)         by lane 0: where the result goes
///   void begin(item, head)     by lane 0, if a result has a header: writes its 32 bytes, which then stand in
///                              front of `out`
///   bool believe(...)          by lane `slot`: whether that row may be added
/// `slots`: rows of a result at most. By all threads of a block.
template <uint32_t DTYPE, typename Rows>
class SumPipe {
  using W = Wide<DTYPE>;
  using Ahead = typename Rows::Ahead;
  static constexpr uint32_t KEPT = 128;             // offset of Kept [32] in a stage
  static constexpr uint32_t HEADERS = KEPT + 512;   // offset of headers

 public:
  JGIN_D SumPipe(const jgin_shape& s, Rows& rows, uint32_t slots, uint32_t items)
      : rows_(rows), lane_(threadIdx.x % 32), columns_(s.combine_bytes / 16), items_(items),
        policy_(policy_evict_first()) {
    // Few rows: longer pieces, to have as many bytes on their way. Few items: short ones, for all SMs.
    uint32_t longer = slots >= 4 ? 1 : slots >= 2 ? 2 : 4;
    uint64_t warps = static_cast<uint64_t>(gridDim.x) * blockDim.x / 32;
    while (longer > 1 && items * ceil_div(columns_, 64 * longer) < warps * 2) longer /= 2;
    piece_ = 64 * longer;
    slices_ = ceil_div(columns_, piece_);
    data_ = round_up<uint32_t>(HEADERS + (Rows::HEADS ? slots * 32 : 0) + Rows::RESULT_HEAD, JGIN_LINE);
    stage_ = data_ + slots * piece_ * 16;
  }

  JGIN_D void run(char* memory) {
    // Sums are work: two stages a warp, and more warps.
    Division division = divide(dynamic_shared_bytes() - PIPE_HEAD, stage_, 2);
    Pipe pipe(memory, division, stage_);
    __syncthreads();
    uint32_t warp = threadIdx.x / 32;
    if (warp >= division.warps) return;
    uint32_t units = items_ * slices_;
    first_ = warp * gridDim.x + blockIdx.x;
    step_ = division.warps * gridDim.x;
    uint32_t count = first_ < units ? (units - first_ + step_ - 1) / step_ : 0;
    Ahead ahead = count > 0 ? rows_.ahead(item_of(0)) : Ahead();
    uint32_t loaded = 0;
    for (; loaded < min(count, pipe.ahead()); loaded++) load(pipe, loaded, count, ahead);
    for (uint32_t i = 0; i < count; i++) {
      pipe.wait(i);
      add(pipe.stage(i));
      bulk_commit();
      pipe.wait_free();
      if (loaded < count) load(pipe, loaded++, count, ahead);
    }
    NvLink::flush();
  }

 private:
  // 32 bits: JGIN_MAX_TOKENS times the pieces of JGIN_MAX_ROW_BYTES are fewer than 2^27.
  JGIN_D uint32_t unit(uint32_t i) const { return first_ + i * step_; }
  JGIN_D uint32_t item_of(uint32_t i) const { return unit(i) / slices_; }

  JGIN_D void load(const Pipe& pipe, uint32_t i, uint32_t count, Ahead& ahead) {
    uint32_t item = item_of(i), slice = unit(i) - item * slices_;
    char* stage = pipe.stage(i);
    Summand mine = rows_.resolve(item, ahead);
    bool has = mine.payload != nullptr;
    uint32_t all = __ballot_sync(ALL_LANES, has), n = __popc(all);
    uint32_t slot = __popc(all & ((1u << lane_) - 1));
    uint32_t bytes = min(piece_, columns_ - slice * piece_) * 16;
    if (lane_ == 0) {
      *reinterpret_cast<StageHead*>(stage) = {item, slice, n, 0, rows_.out(item, ahead)};
      mbarrier_expect(pipe.barrier(i), n * (bytes + (Rows::HEADS ? 32 : 0)));
    }
    if (i + 1 < count) ahead = rows_.ahead(item_of(i + 1));
    if (has) {
      reinterpret_cast<Kept*>(stage + KEPT)[slot] = {mine.weight, lane_, mine.peer, mine.place};
    }
    __syncwarp();
    if (has) {
      bulk_load(stage + data_ + slot * piece_ * 16, mine.payload + slice * piece_ * 16ull, bytes,
                pipe.barrier(i), policy_);
      if (Rows::HEADS) {
        bulk_load(stage + HEADERS + slot * 32, mine.payload - 32, 32, pipe.barrier(i), policy_);
      }
    }
  }

  JGIN_D void add(char* stage) {
    const StageHead head = *reinterpret_cast<const StageHead*>(stage);
    if (head.out == nullptr) return;
    const Kept* kept = reinterpret_cast<const Kept*>(stage + KEPT);
    bool mine = lane_ < head.rows;
    if (Rows::HEADS && mine) {
      mine = rows_.believe(head.item, kept[lane_],
                           *reinterpret_cast<const jgin_return_header*>(stage + HEADERS + lane_ * 32),
                           head.slice == 0);
    }
    uint32_t believed = __ballot_sync(ALL_LANES, mine);
    uint32_t columns = min(piece_, columns_ - head.slice * piece_);
    char* data = stage + data_;
    if (Rows::RESULT_HEAD != 0 && head.slice == 0 && lane_ == 0) {
      rows_.begin(head.item, data - Rows::RESULT_HEAD);
    }
    for (uint32_t c = lane_; c < columns; c += 64) {
      // Two columns side by side hide each other's latency.
      bool two = c + 32 < columns;
      float acc[2][W::N];
#pragma unroll
      for (uint32_t e = 0; e < W::N; e++) acc[0][e] = acc[1][e] = 0.0f;
      char* column = data + c * 16;
#pragma unroll 4
      for (uint32_t row = 0; row < head.rows; row++) {
        const char* at = column + row * piece_ * 16;
        uint4 v[2];
        v[0] = *reinterpret_cast<const uint4*>(at);
        v[1] = two ? *reinterpret_cast<const uint4*>(at + 512) : make_uint4(0, 0, 0, 0);
        float w = kept[row].weight;
        if ((believed >> row & 1) == 0) continue;
#pragma unroll
        for (uint32_t j = 0; j < 2; j++) {
          float x[W::N];
          W::unpack(v[j], x);
#pragma unroll
          for (uint32_t e = 0; e < W::N; e++) acc[j][e] = numeric::multiply_add(acc[j][e], w, x[e]);
        }
      }
      // In place of the first row's: no other lane reads these columns.
      *reinterpret_cast<uint4*>(column) = W::pack(acc[0]);
      if (two) *reinterpret_cast<uint4*>(column + 512) = W::pack(acc[1]);
    }
    fence_proxies_shared();
    __syncwarp();
    if (lane_ == 0) {
      uint32_t front = head.slice == 0 ? Rows::RESULT_HEAD : 0;
      bulk_store(head.out + head.slice * piece_ * 16ull - front, data - front, columns * 16 + front);
    }
  }

  Rows& rows_;
  uint32_t lane_;
  uint32_t columns_;
  uint32_t items_;
  uint64_t policy_;
  uint32_t piece_;
  uint32_t slices_;
  uint32_t data_;
  uint32_t stage_;
  uint32_t first_ = 0;
  uint32_t step_ = 1;
};

}  // namespace jgin
