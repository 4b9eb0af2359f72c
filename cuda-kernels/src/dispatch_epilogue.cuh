// SPDX-License-Identifier: Apache-2.0
// B: waits for every peer's signals, then copies received rows to where the experts read them and
// believes nothing that is in them. A row is read once, into shared memory, and stored once for each
// of its experts on this rank.
#pragma once

#include "jgin/pipe.cuh"
#include "jgin/rows.cuh"
#include "receive_plan.cuh"

namespace jgin::epilogue {

inline constexpr uint32_t KERNEL = JGIN_KERNEL_DISPATCH_EPILOGUE;
/// In front of a stage's row: the first 16 bytes of the row in the slot before.
inline constexpr uint32_t NEIGHBOUR = JGIN_LINE;

/// One warp's share of the rows.
class Rows {
 public:
  JGIN_D Rows(const jgin_launch& l, const Pipe& pipe, const Tables& t, uint64_t epoch)
      : l_(l), r_(l.rank), s_(l.rank.shape), pipe_(pipe), t_(t), epoch_(epoch),
        lane_(threadIdx.x % 32), expanded_(s_.layout == JGIN_EXPANDED),
        policy_(policy_evict_first()) {}

  /// Copies received rows first, first + step, ...
  JGIN_D void copy(uint32_t first, uint32_t step) {
    uint32_t rows = t_.received[s_.ranks];
    uint32_t items = first < rows ? ceil_div(rows - first, step) : 0;
    uint32_t loading = 0;  // the source of the row that is loaded next
    uint32_t source = 0;
    for (uint32_t i = 0; i < min(items, pipe_.ahead()); i++) load(i, first + i * step, loading);
    for (uint32_t i = 0; i < items; i++) {
      uint32_t row = first + i * step;
      while (row >= t_.received[source + 1]) source++;
      pipe_.wait(i);
      take(i, row, source, row - t_.received[source]);
      bulk_commit();
      pipe_.wait_free();
      if (i + pipe_.ahead() < items) load(i + pipe_.ahead(), row + pipe_.ahead() * step, loading);
    }
    check_stamp();
    bulk_wait_all();
  }

 private:
  JGIN_D void load(uint32_t item, uint32_t row, uint32_t& source) {
    while (row >= t_.received[source + 1]) source++;
    if (lane_ != 0) return;
    uint32_t slot = row - t_.received[source];
    const char* from =
        pointer<const char>(pointer<const jgin_peer>(r_.peers)[source].local_rows) +
        received_at(s_, epoch_, source, slot);
    char* to = pipe_.stage(item);
    uint64_t* barrier = pipe_.barrier(item);
    mbarrier_expect(barrier, s_.row_bytes + (slot > 0 ? 16 : 0));
    bulk_load(to + NEIGHBOUR, from, s_.row_bytes, barrier, policy_);
    if (slot > 0) bulk_load(to, from - s_.row_stride, 16, barrier, policy_);
  }

  JGIN_D void take(uint32_t item, uint32_t row, uint32_t source, uint32_t slot) {
    const char* stage = pipe_.stage(item);
    const char* bytes = stage + NEIGHBOUR;
    const auto& h = *reinterpret_cast<const jgin_row_header*>(bytes);
    bool lane = lane_ < s_.top_k;
    int32_t id = lane ? *reinterpret_cast<const int32_t*>(bytes + ids_at() + 4 * lane_) : JGIN_NONE;
    float weight = lane ? *reinterpret_cast<const float*>(bytes + weights_at(s_) + 4 * lane_) : 0.0f;
    uint32_t place = lane ? *reinterpret_cast<const uint32_t*>(bytes + places_at(s_) + 4 * lane_) : 0;
    if (!believe(bytes, stage, h, id, source, slot)) {
      leave_out(row, source);
      return;
    }
    // Not of this rank: beyond the local experts.
    uint32_t local = static_cast<uint32_t>(id) - s_.first_expert;
    bool here = id >= 0 && local < s_.local_experts;
    uint32_t to = here ? t_.base[source * s_.local_experts + local] + place : 0;
    if (here) here = within(h, id, local, place, to, source, slot);
    keep_origin(row, h, id, here ? static_cast<int32_t>(local) : JGIN_NONE,
                expanded_ && here ? static_cast<int32_t>(to) : JGIN_NONE, weight, source);
    check_stamp();
    if (here) {
      atomicAdd(&pointer<uint32_t>(r_.placed)[source * s_.local_experts + local], 1);
      if (expanded_) {
        // Whose row is it? The answer is looked at with the next row, when it is here.
        stamp_ = atomicExch(&pointer<uint32_t>(r_.row_stamp)[to], static_cast<uint32_t>(epoch_));
        stamped_ = true;
        stamped_row_ = to;
        stamped_source_ = source;
        stamped_slot_ = slot;
        stamped_local_ = local;
      }
    }
    if (expanded_ ? here : lane_ == 0) store(bytes, expanded_ ? to : row);
    small_scales(bytes, here, to, row);
  }

  JGIN_D bool believe(const char* bytes, const char* stage, const jgin_row_header& h, int32_t id,
                      uint32_t source, uint32_t slot) {
    uint32_t check = JGIN_CHECKS, symptom = 0;
    int64_t expected = 0, seen = 0;
    int32_t token = static_cast<int32_t>(h.source_token);
    bool bad_id = id < JGIN_NONE || id >= static_cast<int32_t>(s_.experts);
    uint32_t bad_ids = __ballot_sync(ALL_LANES, bad_id);
    if (checks(s_, JGIN_CHECK_EPOCH_TAG) && h.epoch != epoch_) {
      check = JGIN_CHECK_EPOCH_TAG, symptom = JGIN_MISSING, expected = epoch_, seen = h.epoch;
    } else if (checks(s_, JGIN_CHECK_SOURCE) &&
               (h.source_rank != source || h.stream != s_.stream || h.top_k != s_.top_k ||
                h.source_token >= t_.tokens[source])) {
      check = JGIN_CHECK_SOURCE, symptom = JGIN_PHANTOM, expected = source, seen = h.source_rank;
    } else if (checks(s_, JGIN_CHECK_TOKEN_ORDER) && slot > 0 && !behind(stage, h, source, seen)) {
      check = JGIN_CHECK_TOKEN_ORDER, symptom = JGIN_DOUBLE_ASSIGNED, expected = seen + 1, seen = token;
    } else if (checks(s_, JGIN_CHECK_EXPERT_IDS) && bad_ids != 0) {
      check = JGIN_CHECK_EXPERT_IDS, symptom = JGIN_OUT_OF_BOUNDS, expected = s_.experts;
      seen = __shfl_sync(ALL_LANES, id, __ffs(bad_ids) - 1);
    } else if (s_.audit != 0 && checks(s_, JGIN_CHECK_CHECKSUM)) {
      uint64_t sum = warp_row_checksum(bytes, s_.row_bytes);
      if (sum != h.checksum) {
        check = JGIN_CHECK_CHECKSUM, symptom = JGIN_TORN, expected = sum, seen = h.checksum;
      }
    }
    if (check == JGIN_CHECKS) return true;
    if (lane_ == 0) {
      report(r_, {check, symptom, KERNEL, static_cast<int32_t>(source), slot, epoch_, h.epoch, expected,
                  seen, token, JGIN_NONE});
    }
    return false;
  }

  /// Whether the row's token is behind that of the slot before. A neighbour that fails its own checks
  /// says nothing.
  JGIN_D bool behind(const char* stage, const jgin_row_header& h, uint32_t source, int64_t& last) {
    const auto& before = *reinterpret_cast<const jgin_row_header*>(stage);
    last = before.source_token;
    return before.epoch != epoch_ || before.source_rank != source ||
           before.source_token >= t_.tokens[source] || h.source_token > before.source_token;
  }

  /// Before the store: past its bound stand the rows of another source or expert.
  JGIN_D bool within(const jgin_row_header& h, int32_t id, uint32_t local, uint32_t place, uint32_t to,
                     uint32_t source, uint32_t slot) {
    uint32_t count = t_.counts[source * s_.local_experts + local];
    if (place < count) return true;
    if (checks(s_, JGIN_CHECK_CURSOR_BOUND)) {
      report(r_, {JGIN_CHECK_CURSOR_BOUND, count == 0 ? uint32_t{JGIN_PHANTOM} : uint32_t{JGIN_DOUBLE_ASSIGNED}, KERNEL,
                  static_cast<int32_t>(source), slot, epoch_, h.epoch, count, place,
                  static_cast<int32_t>(h.source_token), id});
      return false;
    }
    // Switched off for an experiment: wrong, but inside the buffers.
    return place < s_.expert_rows && to < s_.expert_rows;
  }

  JGIN_D void check_stamp() {
    if (stamped_ && stamp_ == static_cast<uint32_t>(epoch_)) {
      report(r_, {JGIN_CHECK_CURSOR_BOUND, JGIN_DOUBLE_ASSIGNED, KERNEL,
                  static_cast<int32_t>(stamped_source_), stamped_slot_, epoch_, epoch_, JGIN_NONE,
                  stamped_row_, JGIN_NONE, static_cast<int32_t>(stamped_local_)});
      // So that the last block looks for the row that nobody filled.
      atomicSub(&pointer<uint32_t>(r_.placed)[stamped_source_ * s_.local_experts + stamped_local_], 1);
      pointer<uint32_t>(r_.source_failed)[stamped_source_] = 1;
    }
    stamped_ = false;
  }

  JGIN_D void keep_origin(uint32_t row, const jgin_row_header& h, int32_t id, int32_t local, int32_t to,
                          float weight, uint32_t source) {
    if (lane_ < s_.top_k) {
      uint64_t at = static_cast<uint64_t>(row) * s_.top_k + lane_;
      pointer<int32_t>(r_.received_expert)[at] = local;
      pointer<float>(r_.received_weight)[at] = local != JGIN_NONE ? weight : 0.0f;
      if (expanded_) pointer<int32_t>(r_.received_row)[at] = to;
    }
    if (to != JGIN_NONE) {
      pointer<int32_t>(r_.row_received)[to] = row;
      pointer<int32_t>(r_.row_lane)[to] = lane_;
      pointer<float>(r_.row_weight)[to] = weight;
    }
    uint32_t first = 0, ordinal = 0;
    if (s_.combine_mode == JGIN_REDUCED) find_first_lane(id, first, ordinal);
    if (lane_ == 0) {
      pointer<int32_t>(r_.received_source)[row] = source;
      pointer<int32_t>(r_.received_token)[row] = h.source_token;
      pointer<int32_t>(r_.received_lane)[row] = first;
      pointer<int32_t>(r_.received_ordinal)[row] = ordinal;
      if (!expanded_) pointer<int32_t>(r_.row_received)[row] = row;
    }
  }

  /// The place of this rank among the ranks of the token, in order of first lane: it is where the
  /// partial sum returns to.
  JGIN_D void find_first_lane(int32_t id, uint32_t& first, uint32_t& ordinal) {
    bool valid = id >= 0 && id < static_cast<int32_t>(s_.experts);
    uint32_t rank = valid ? owner(s_.experts, s_.ranks, id) : 0xFFFFFFFFu;
    uint32_t alike = __match_any_sync(ALL_LANES, rank);
    uint32_t below = (1u << lane_) - 1;
    uint32_t firsts = __ballot_sync(ALL_LANES, valid && (alike & below) == 0);
    uint32_t mine = __ballot_sync(ALL_LANES, rank == s_.rank);
    if (mine == 0) return;
    first = __ffs(mine) - 1;
    ordinal = __popc(firsts & ((1u << first) - 1));
  }

  JGIN_D void store(const char* bytes, uint32_t to) {
    bulk_store(pointer<char>(r_.expert_payload) + to * s_.payload_bytes, bytes + s_.payload_at,
               s_.payload_bytes);
    if (s_.scale_bytes != 0 && s_.scale_bytes % 16 == 0) {
      bulk_store(pointer<char>(r_.expert_scales) + to * s_.scale_bytes, bytes + s_.scales_at,
                 s_.scale_bytes);
    }
  }

  /// Scales whose rows do not begin at multiples of 16, by the whole warp, target after target.
  JGIN_D void small_scales(const char* bytes, bool here, uint32_t to, uint32_t row) {
    if (s_.scale_bytes == 0 || s_.scale_bytes % 16 == 0) return;
    uint32_t targets = expanded_ ? __ballot_sync(ALL_LANES, here) : 1;
    const char* from = bytes + s_.scales_at;
    for (; targets != 0; targets &= targets - 1) {
      uint64_t target = expanded_ ? __shfl_sync(ALL_LANES, to, __ffs(targets) - 1) : row;
      char* out = pointer<char>(r_.expert_scales) + target * s_.scale_bytes;
      if (s_.scale_bytes % 8 == 0) {
        for (uint32_t i = lane_ * 8; i < s_.scale_bytes; i += 256) {
          *reinterpret_cast<uint64_t*>(out + i) = *reinterpret_cast<const uint64_t*>(from + i);
        }
      } else {
        for (uint32_t i = lane_; i < s_.scale_bytes; i += 32) out[i] = from[i];
      }
    }
  }

  JGIN_D void leave_out(uint32_t row, uint32_t source) {
    if (lane_ == 0) {
      pointer<uint32_t>(r_.source_failed)[source] = 1;
      pointer<int32_t>(r_.received_source)[row] = JGIN_NONE;
      pointer<int32_t>(r_.received_token)[row] = JGIN_NONE;
      if (!expanded_) pointer<int32_t>(r_.row_received)[row] = JGIN_NONE;
    }
    if (lane_ < s_.top_k) {
      uint64_t at = static_cast<uint64_t>(row) * s_.top_k + lane_;
      pointer<int32_t>(r_.received_expert)[at] = JGIN_NONE;
      pointer<float>(r_.received_weight)[at] = 0.0f;
      if (expanded_) pointer<int32_t>(r_.received_row)[at] = JGIN_NONE;
    }
    if (!expanded_) clear_row(r_, row);
  }

 public:
  /// Zeroes an output row. By a warp.
  JGIN_D static void clear_row(const jgin_rank& r, uint32_t row) {
    const jgin_shape& s = r.shape;
    uint32_t lane = threadIdx.x % 32;
    char* payload = pointer<char>(r.expert_payload) + row * s.payload_bytes;
    char* scales = pointer<char>(r.expert_scales) + row * s.scale_bytes;
    for (uint32_t i = lane * 16; i < s.payload_bytes; i += 512) {
      store_wide(payload + i, make_uint4(0, 0, 0, 0));
    }
    for (uint32_t i = lane; i < s.scale_bytes; i += 32) scales[i] = 0;
  }

  /// Zeroes the padding between experts; every expert has as many warps as the others.
  JGIN_D void clear_padding(uint32_t warp, uint32_t warps) {
    uint32_t el = s_.local_experts;
    if (el == 0 || s_.expert_alignment == 1) return;
    uint32_t each = max(warps / el, 1u);
    for (uint32_t unit = warp; unit < each * el; unit += warps) {
      uint32_t e = unit % el;
      for (uint32_t row = t_.start[e] + t_.rows[e] + unit / el; row < t_.start[e + 1]; row += each) {
        clear_row(r_, row);
        if (lane_ == 0) pointer<int32_t>(r_.row_received)[row] = JGIN_NONE;
      }
    }
  }

 private:
  const jgin_launch& l_;
  const jgin_rank& r_;
  const jgin_shape& s_;
  const Pipe& pipe_;
  const Tables& t_;
  uint64_t epoch_;
  uint32_t lane_;
  bool expanded_;
  uint64_t policy_;
  bool stamped_ = false;
  uint32_t stamp_ = 0;
  uint32_t stamped_row_ = 0;
  uint32_t stamped_source_ = 0;
  uint32_t stamped_slot_ = 0;
  uint32_t stamped_local_ = 0;
};

/// By the last block: every (source, expert) must have as many rows as were counted; counted rows that
/// nobody filled are zeroed. Leaves the scratch zero for the next dispatch.
JGIN_D void check_counts(const jgin_launch& l, const Tables& t, uint64_t epoch) {
  const jgin_shape& s = l.rank.shape;
  uint32_t el = s.local_experts, lane = threadIdx.x % 32;
  auto* placed = pointer<uint32_t>(l.rank.placed);
  auto* failed = pointer<uint32_t>(l.rank.source_failed);
  uint32_t pairs = s.ranks * el;
  for (uint32_t from = threadIdx.x / 32 * 32; from < pairs; from += blockDim.x) {
    uint32_t i = from + lane;
    uint32_t seen = i < pairs ? __ldcg(&placed[i]) : 0, counted = i < pairs ? t.counts[i] : 0;
    if (i < pairs) placed[i] = 0;
    bool short_of = seen < counted && checks(s, JGIN_CHECK_COUNTS_EQUAL);
    if (short_of && __ldcg(&failed[i / el]) == 0) {
      report(l.rank, {JGIN_CHECK_COUNTS_EQUAL, JGIN_MISSING, KERNEL, static_cast<int32_t>(i / el),
                      JGIN_NONE, epoch, epoch, counted, seen, JGIN_NONE, static_cast<int32_t>(i % el)});
    }
    uint32_t holes = __ballot_sync(ALL_LANES, short_of && s.layout == JGIN_EXPANDED);
    for (; holes != 0; holes &= holes - 1) {
      uint32_t pair = from + __ffs(holes) - 1;
      for (uint32_t row = t.base[pair]; row < t.base[pair] + t.counts[pair]; row++) {
        if (__ldcg(&pointer<uint32_t>(l.rank.row_stamp)[row]) == static_cast<uint32_t>(epoch)) continue;
        Rows::clear_row(l.rank, row);
        if (lane == 0) pointer<int32_t>(l.rank.row_received)[row] = JGIN_NONE;
      }
    }
  }
  __syncthreads();
  for (uint32_t r = threadIdx.x; r < s.ranks; r += blockDim.x) failed[r] = 0;
}

}  // namespace jgin::epilogue

extern "C" __global__ void __launch_bounds__(JGIN_THREADS_EPILOGUE, 1)
    jgin_dispatch_epilogue(const __grid_constant__ jgin_launch l) {
  using namespace jgin;
  using namespace jgin::epilogue;
  extern __shared__ __align__(128) char shared_memory[];
  const jgin_shape& s = l.rank.shape;
  uint32_t table = table_bytes(s), stage = NEIGHBOUR + s.row_stride;
  Tables tables = carve(shared_memory, s);
    Division division = divide(dynamic_shared_bytes() - table - PIPE_HEAD, stage);
  Pipe pipe(shared_memory + table, division, stage);
  // Nothing of the kernel before, and nothing of a receive window, may be loaded in front of this:
  // the epoch would be an old one, and bytes loaded early are bytes of the epoch before.
  dependency_wait();
  dependency_launch();
  auto* state = pointer<jgin_state>(l.rank.state);
  uint64_t epoch = state->dispatch_epoch + 1;
  bool begun = __syncthreads_and(may_begin(l.rank, KERNEL));
  begun = begun && wait_all(l.rank, KERNEL, JGIN_OP_DISPATCH, epoch);
  if (begun) {
    Counts(l, tables, epoch).read();
    begun = lay_out(l, tables);
  }
  if (begun) {
    uint32_t warp = threadIdx.x / 32;
    Rows rows(l, pipe, tables, epoch);
    if (warp < division.warps) rows.copy(warp * gridDim.x + blockIdx.x, division.warps * gridDim.x);
    if (s.layout == JGIN_EXPANDED) {
      rows.clear_padding(warp * gridDim.x + blockIdx.x, blockDim.x / 32 * gridDim.x);
    }
  }
  if (!last_block(l.rank, KERNEL)) return;
  if (begun && error_of(l.rank) == 0) check_counts(l, tables, epoch);
  __syncthreads();
  if (threadIdx.x == 0) {
    auto* out = pointer<jgin_report>(l.rank.report);
    if (error_of(l.rank) == 0) {
      state->dispatch_epoch = epoch;
      uint32_t received = tables.received[s.ranks];
      store_relaxed_sys(&out->received_rows, received);
      store_relaxed_sys(&out->total_rows,
                        s.layout == JGIN_EXPANDED ? tables.start[s.local_experts] : received);
      store_relaxed_sys(&out->tokens, *pointer<const uint32_t>(l.plan.tokens));
    }
    publish(l.rank, &out->dispatch_epoch, epoch);
  }
}
