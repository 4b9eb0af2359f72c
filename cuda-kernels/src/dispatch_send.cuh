// SPDX-License-Identifier: Apache-2.0
// A: one row for each (token, rank that owns one of its experts), built in shared memory around the
// payload and stored to every such rank; a block of counts for each rank; then the signals. Waits for
// nothing but room in a proxy's ring.
#pragma once

#include "jgin/exchange.cuh"
#include "jgin/pipe.cuh"
#include "jgin/rows.cuh"

namespace jgin::send {

/// What one lane knows of its lane of a token.
struct Lane {
  int32_t id = JGIN_NONE;
  uint32_t weight = 0;
  uint32_t place = 0;
  int32_t slot = JGIN_NONE;
  uint32_t peer = 0;
  char* to = nullptr;  // NVLINK: the peer's window
};

JGIN_D Lane lane_of(const jgin_launch& l, uint32_t token, uint32_t k) {
  const jgin_shape& s = l.rank.shape;
  Lane lane;
  if (k >= s.top_k) return lane;
  uint64_t at = static_cast<uint64_t>(token) * s.top_k + k;
  lane.id = pointer<const int32_t>(l.plan.ids)[at];
  lane.weight = pointer<const uint32_t>(l.plan.weights)[at];
  lane.place = pointer<const uint32_t>(l.plan.places)[at];
  lane.slot = pointer<const int32_t>(l.plan.slots)[at];
  if (lane.id != JGIN_NONE) {
    lane.peer = owner(s.experts, s.ranks, lane.id);
    const jgin_peer& peer = pointer<const jgin_peer>(l.rank.peers)[lane.peer];
    if (peer.kind == JGIN_PEER_NVLINK) lane.to = NvLink::target(peer, JGIN_WINDOW_RECEIVE_ROWS);
  }
  return lane;
}

/// The part of a row in front of the payload, and zeros behind its parts. By a warp.
JGIN_D void write_head(const jgin_shape& s, char* row, uint64_t epoch, uint32_t token,
                       const Lane& lane) {
  uint32_t k = threadIdx.x % 32;
  if (k < s.top_k) {
    *reinterpret_cast<int32_t*>(row + ids_at() + 4 * k) = lane.id;
    *reinterpret_cast<uint32_t*>(row + weights_at(s) + 4 * k) = lane.weight;
    *reinterpret_cast<uint32_t*>(row + places_at(s) + 4 * k) = lane.place;
  }
  for (uint32_t i = places_at(s) + 4 * s.top_k + 4 * k; i < s.payload_at; i += 128) {
    *reinterpret_cast<uint32_t*>(row + i) = 0;
  }
  for (uint32_t i = s.scales_at + s.scale_bytes + k; i < s.row_bytes; i += 32) row[i] = 0;
  if (k == 0) {
    auto* header = reinterpret_cast<jgin_row_header*>(row);
#if defined(JGIN_MUTANT_STALE_EPOCH)
    epoch--;
#endif
    *header = {epoch, s.rank, token, 0, s.stream, s.top_k};
  }
}

/// Writes the count block for a peer, into its window or, for a proxy, into the send window. By a warp.
JGIN_D void send_counts(const jgin_launch& l, Proxy& proxy, uint64_t epoch, uint32_t to) {
  const jgin_shape& s = l.rank.shape;
  uint32_t lane = threadIdx.x % 32;
  bool cached = (l.flags & JGIN_LAUNCH_CACHED) != 0;
  const jgin_peer& peer = pointer<const jgin_peer>(l.rank.peers)[to];
  bool nvlink = peer.kind == JGIN_PEER_NVLINK;
  uint64_t offset = count_at(s, epoch, s.rank);
  char* block = nvlink ? NvLink::target(peer, JGIN_WINDOW_RECEIVE_COUNTS) + offset
                       : pointer<char>(l.rank.send_counts) + to * s.count_stride;
  uint32_t first = first_expert(s.experts, s.ranks, to);
  uint32_t experts = first_expert(s.experts, s.ranks, to + 1) - first;
  uint64_t parts = 0;
  for (uint32_t e = lane; e < experts; e += 32) {
    uint32_t count = pointer<const uint32_t>(l.plan.expert_counts)[first + e];
    parts ^= checksum::count_part(e, count);
    if (!cached) reinterpret_cast<uint32_t*>(block + sizeof(jgin_count_header))[e] = count;
  }
  for (uint32_t d = 16; d > 0; d /= 2) parts ^= __shfl_xor_sync(ALL_LANES, parts, d);
  if (lane == 0) {
    uint32_t rows = pointer<const uint32_t>(l.plan.rank_rows)[to];
    uint32_t tokens = *pointer<const uint32_t>(l.plan.tokens);
    uint64_t hash = checksum::count_hash(JGIN_COUNT_SEED, rows, tokens, parts);
    *reinterpret_cast<jgin_count_header*>(block) = {epoch, hash, rows, s.rank, tokens, cached ? 1u : 0u};
  }
  __syncwarp();
  if (!nvlink && lane == 0) {
    fence_acq_rel_sys();
    proxy.put({0, to, JGIN_WINDOW_SEND_COUNTS, JGIN_WINDOW_RECEIVE_COUNTS, to * s.count_stride,
               offset, cached ? sizeof(jgin_count_header) : s.count_bytes},
              0);
  }
}

/// One warp's share of the rows.
class Rows {
 public:
  JGIN_D Rows(const jgin_launch& l, const Pipe& pipe, uint64_t epoch, Proxy& proxy)
      : l_(l), s_(l.rank.shape), pipe_(pipe), proxy_(proxy), epoch_(epoch),
        lane_(threadIdx.x % 32), quantize_(s_.input_dtype != s_.dtype),
        policy_(policy_evict_first()) {
    bulk_scales_ = !quantize_ && s_.scale_bytes != 0 && s_.scale_bytes % 16 == 0 &&
                   l.rank.scales % 16 == 0;
  }

  /// Sends tokens first, first + step, ...
  JGIN_D void send(uint32_t first, uint32_t step, uint32_t tokens) {
    uint32_t items = first < tokens ? ceil_div(tokens - first, step) : 0;
    for (uint32_t i = 0; i < min(items, pipe_.ahead()); i++) load(i, first + i * step);
    Lane next = items > 0 ? lane_of(l_, first, lane_) : Lane();
    for (uint32_t i = 0; i < items; i++) {
      uint32_t token = first + i * step;
      Lane now = next;
      // The next token's lanes are on their way while this row is worked on.
      if (i + 1 < items) next = lane_of(l_, token + step, lane_);
      build(i, token, now);
      store(i, token, now);
      pipe_.wait_free();
      if (i + pipe_.ahead() < items) load(i + pipe_.ahead(), token + pipe_.ahead() * step);
    }
    NvLink::flush();
  }

 private:
  JGIN_D char* input_of(uint32_t item) const {
    return pipe_.stage(item) + (quantize_ ? s_.row_stride : s_.payload_at);
  }

  JGIN_D void load(uint32_t item, uint32_t token) {
    if (lane_ != 0) return;
    uint64_t* barrier = pipe_.barrier(item);
    mbarrier_expect(barrier, s_.input_bytes + (bulk_scales_ ? s_.scale_bytes : 0));
    bulk_load(input_of(item), pointer<const char>(l_.rank.payload) + token * s_.input_bytes,
              s_.input_bytes, barrier, policy_);
    if (bulk_scales_) {
      bulk_load(pipe_.stage(item) + s_.scales_at,
                pointer<const char>(l_.rank.scales) + token * s_.scale_bytes, s_.scale_bytes, barrier,
                policy_);
    }
  }

  JGIN_D void build(uint32_t item, uint32_t token, const Lane& lane) {
    char* row = pipe_.stage(item);
    write_head(s_, row, epoch_, token, lane);
    if (!quantize_ && !bulk_scales_) {
      const char* scales = pointer<const char>(l_.rank.scales) + token * s_.scale_bytes;
      for (uint32_t i = lane_; i < s_.scale_bytes; i += 32) row[s_.scales_at + i] = scales[i];
    }
    pipe_.wait(item);
    if (quantize_) {
      const char* in = input_of(item);
      char *payload = row + s_.payload_at, *scales = row + s_.scales_at;
      switch (s_.input_dtype) {
        case JGIN_BF16: quantize_row<JGIN_BF16>(in, s_.hidden, s_.scale_format, payload, scales); break;
        case JGIN_FP16: quantize_row<JGIN_FP16>(in, s_.hidden, s_.scale_format, payload, scales); break;
        default: quantize_row<JGIN_FP32>(in, s_.hidden, s_.scale_format, payload, scales); break;
      }
    }
    if (s_.audit != 0) {
      __syncwarp();
      uint64_t sum = warp_row_checksum(row, s_.row_bytes);
      if (lane_ == 0) reinterpret_cast<jgin_row_header*>(row)->checksum = sum;
    }
#if defined(JGIN_MUTANT_TORN_ROW)
    __syncwarp();
    if (lane_ == 0) *reinterpret_cast<uint32_t*>(row + s_.scales_at - 4) ^= 1;
#endif
    // The row was written through the generic proxy, and partly by other lanes: each makes its part
    // known to the asynchronous proxy before any lane stores the row from it.
    fence_proxies_shared();
    __syncwarp();
  }

  JGIN_D void store(uint32_t item, uint32_t token, const Lane& lane) {
    const char* row = pipe_.stage(item);
    bool sends = lane.slot != JGIN_NONE;
    uint64_t offset = sends ? received_at(s_, epoch_, s_.rank, lane.slot) : 0;
    if (sends && lane.to != nullptr) NvLink::put_shared(lane.to + offset, row, s_.row_bytes);
    bulk_commit();
    if (__any_sync(ALL_LANES, sends && lane.to == nullptr)) stage_for_proxy(row, token, lane, offset);
  }

  // Through the send window: the host's carrier reads the row there, once for each rank.
  JGIN_D void stage_for_proxy(const char* row, uint32_t token, const Lane& lane, uint64_t offset) {
    uint64_t at = token * s_.row_stride;
    if (lane_ == 0) {
      bulk_store(pointer<char>(l_.rank.send_rows) + at, row, s_.row_bytes);
      bulk_commit();
      bulk_wait_all();
      fence_proxies();
    }
    __syncwarp();
    if (lane.slot != JGIN_NONE && lane.to == nullptr) {
      proxy_.put({context_of(s_, lane.slot, lane.peer, epoch_), lane.peer, JGIN_WINDOW_SEND_ROWS,
                  JGIN_WINDOW_RECEIVE_ROWS, at, offset, s_.row_bytes},
                 0);
    }
    __syncwarp();
  }

  const jgin_launch& l_;
  const jgin_shape& s_;
  const Pipe& pipe_;
  Proxy& proxy_;
  uint64_t epoch_;
  uint32_t lane_;
  bool quantize_;
  bool bulk_scales_;
  uint64_t policy_;
};

}  // namespace jgin::send

extern "C" __global__ void __launch_bounds__(JGIN_THREADS_SEND, 1)
    jgin_dispatch_send(const __grid_constant__ jgin_launch l) {
  using namespace jgin;
  extern __shared__ __align__(128) char shared_memory[];
  constexpr uint32_t KERNEL = JGIN_KERNEL_DISPATCH_SEND;
  const jgin_shape& s = l.rank.shape;
  uint32_t stage = s.row_stride;
  if (s.input_dtype != s.dtype) stage += round_up<uint64_t>(s.input_bytes, JGIN_LINE);
  // Quantising is work: there, warps rather than stages.
  Division division =
      divide(dynamic_shared_bytes() - PIPE_HEAD, stage, s.input_dtype != s.dtype ? 1 : 3);
  Pipe pipe(shared_memory, division, stage);
  __syncthreads();
  dependency_wait();
  dependency_launch();
  uint64_t epoch = pointer<const jgin_state>(l.rank.state)->dispatch_epoch + 1;
  bool begun = may_begin(l.rank, KERNEL);
  if (division.stages == 0) {
    fail(l.rank, JGIN_ERROR_ABI, KERNEL, JGIN_ERROR_NO_PEER, stage);
    begun = false;
  }
#if defined(JGIN_MUTANT_SIGNAL_FIRST)
  if (blockIdx.x == 0) signal_all(l.rank, KERNEL, JGIN_OP_DISPATCH, epoch);
#endif
  if (begun) {
    Proxy proxy(l.rank, KERNEL, JGIN_OP_DISPATCH, epoch);
    uint32_t warp = threadIdx.x / 32, warps = blockDim.x / 32;
    // Counts from the far end: with few tokens, not the warps that have rows.
    for (uint32_t p = (warps - 1 - warp) * gridDim.x + (gridDim.x - 1 - blockIdx.x); p < s.ranks;
         p += warps * gridDim.x) {
      send::send_counts(l, proxy, epoch, p);
    }
    if (warp < division.warps) {
      send::Rows rows(l, pipe, epoch, proxy);
      rows.send(warp * gridDim.x + blockIdx.x, division.warps * gridDim.x,
                *pointer<const uint32_t>(l.plan.tokens));
    }
  }
  if (last_block(l.rank, KERNEL) && error_of(l.rank) == 0) {
    signal_all(l.rank, KERNEL, JGIN_OP_DISPATCH, epoch);
  }
}
