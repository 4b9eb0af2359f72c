// SPDX-License-Identifier: Apache-2.0
// One warp's part of B: a row is read once, into shared memory, and stored once for each of its experts on
// this rank. Only its head is read beside that, straight from memory and a row ahead.
#pragma once

#include "jgin/pipe.cuh"
#include "receive_plan.cuh"
#include "received_row.cuh"

namespace jgin::epilogue {

inline constexpr uint32_t KERNEL = JGIN_KERNEL_DISPATCH_EPILOGUE;

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
    bool generic = s_.audit != 0 || s_.scale_bytes % 16 != 0;
    uint32_t source = 0, loading = 0, looking = 0;
    for (uint32_t i = 0; i < min(items, pipe_.ahead()); i++) load(i, first + i * step, loading);
    Head next;
    if (items > 0) next = look(first, looking);
    for (uint32_t i = 0; i < items; i++) {
      uint32_t row = first + i * step;
      Head head = next;
      if (i + 1 < items) next = look(row + step, looking);
      while (row >= t_.received[source + 1]) source++;
      pipe_.wait(i);
      take(i, row, head, source, row - t_.received[source]);
      bulk_commit();
      // Without checksums or small scales only bulk copies touch the stages: no fence is needed.
      if (generic) {
        pipe_.wait_free();
      } else {
        pipe_.wait_read();
        __syncwarp();
      }
      if (i + pipe_.ahead() < items) load(i + pipe_.ahead(), row + pipe_.ahead() * step, loading);
    }
    check_stamp();
    bulk_wait_all();
  }

 private:
  JGIN_D const char* received(uint32_t row, uint32_t& source) const {
    while (row >= t_.received[source + 1]) source++;
    return pointer<const char>(pointer<const jgin_peer>(r_.peers)[source].local_rows) +
           received_at(s_, epoch_, source, row - t_.received[source]);
  }

  JGIN_D void load(uint32_t item, uint32_t row, uint32_t& source) {
    const char* from = received(row, source);
    if (lane_ != 0) return;
    mbarrier_expect(pipe_.barrier(item), s_.row_bytes);
    bulk_load(pipe_.stage(item), from, s_.row_bytes, pipe_.barrier(item), policy_);
  }

  JGIN_D Head look(uint32_t row, uint32_t& source) const {
    const char* from = received(row, source);
    Head head;
    head.header[0] = load_once(from);
    head.header[1] = load_once(from + 16);
    head.before = row > t_.received[source] ? load_once(from - s_.row_stride) : make_uint4(0, 0, 0, 0);
    bool lane = lane_ < s_.top_k;
    head.id = lane ? *reinterpret_cast<const int32_t*>(from + ids_at() + 4 * lane_) : JGIN_NONE;
    head.weight = lane ? *reinterpret_cast<const float*>(from + weights_at(s_) + 4 * lane_) : 0.0f;
    head.place = lane ? *reinterpret_cast<const uint32_t*>(from + places_at(s_) + 4 * lane_) : 0;
    return head;
  }

  JGIN_D void take(uint32_t item, uint32_t row, const Head& head, uint32_t source, uint32_t slot) {
    const char* bytes = pipe_.stage(item);
    const jgin_row_header& h = head.row();
    int32_t id = head.id;
    if (!believe(bytes, head, source, slot)) {
      leave_out(row, source);
      return;
    }
    // Not of this rank: beyond the local experts.
    uint32_t local = static_cast<uint32_t>(id) - s_.first_expert;
    bool here = id >= 0 && local < s_.local_experts;
    uint32_t to = here ? t_.base[source * s_.local_experts + local] + head.place : 0;
    if (here) here = within(h, id, local, head.place, to, source, slot);
    if (expanded_ ? here : lane_ == 0) store(bytes, expanded_ ? to : row);
    small_scales(bytes, here, to, row);
    check_stamp();
    if (here) {
      balance_ += checksum::mix(source * s_.local_experts + local, head.place);
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
    keep_origin(row, h, id, here ? static_cast<int32_t>(local) : JGIN_NONE,
                expanded_ && here ? static_cast<int32_t>(to) : JGIN_NONE, head.weight, source);
  }

  JGIN_D bool believe(const char* bytes, const Head& head, uint32_t source, uint32_t slot) {
    const jgin_row_header& h = head.row();
    int32_t id = head.id;
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
    } else if (checks(s_, JGIN_CHECK_TOKEN_ORDER) && slot > 0 && !behind(head, source, seen)) {
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
  JGIN_D bool behind(const Head& head, uint32_t source, int64_t& last) {
    uint64_t epoch = head.before.x | static_cast<uint64_t>(head.before.y) << 32;
    last = head.before.w;
    return epoch != epoch_ || head.before.z != source || head.before.w >= t_.tokens[source] ||
           head.row().source_token > head.before.w;
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
    if (s_.combine_mode == JGIN_REDUCED) find_first_lane(s_, id, first, ordinal);
    if (lane_ == 0) {
      pointer<int32_t>(r_.received_source)[row] = source;
      pointer<int32_t>(r_.received_token)[row] = h.source_token;
      pointer<int32_t>(r_.received_lane)[row] = first;
      pointer<int32_t>(r_.received_ordinal)[row] = ordinal;
      if (!expanded_) pointer<int32_t>(r_.row_received)[row] = row;
    }
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
  /// Takes off the places that were counted, a pair of (source, expert) a warp, and adds what is left to
  /// the grid's balance. By all threads of a block.
  ///
  /// If every place of every pair was filled once, the balance of all blocks is 0; otherwise it is not, but
  /// for one case in 2^64. A counter for each pair would say more, and its atomics would all go to the same
  /// few cache lines.
  JGIN_D void balance(uint32_t warp, uint32_t warps) {
    __shared__ unsigned long long block;
    if (threadIdx.x == 0) block = 0;
    __syncthreads();
    for (uint32_t pair = warp; pair < s_.ranks * s_.local_experts; pair += warps) {
      for (uint32_t place = lane_; place < t_.counts[pair]; place += 32) {
        balance_ -= checksum::mix(pair, place);
      }
    }
    for (uint32_t d = 16; d > 0; d /= 2) balance_ += __shfl_xor_sync(ALL_LANES, balance_, d);
    if (lane_ == 0 && balance_ != 0) atomicAdd(&block, static_cast<unsigned long long>(balance_));
    __syncthreads();
    if (threadIdx.x == 0 && block != 0) {
      atomicAdd(reinterpret_cast<unsigned long long*>(&pointer<jgin_state>(r_.state)->balance), block);
    }
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
  uint64_t balance_ = 0;
  bool stamped_ = false;
  uint32_t stamp_ = 0;
  uint32_t stamped_row_ = 0;
  uint32_t stamped_source_ = 0;
  uint32_t stamped_slot_ = 0;
  uint32_t stamped_local_ = 0;
};

}  // namespace jgin::epilogue
