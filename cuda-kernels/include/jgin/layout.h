// SPDX-License-Identifier: Apache-2.0
// Where bytes stand in windows, and who owns what. Pure functions of jgin_shape; host and device.
#pragma once

#include "jgin/abi.h"
#include "jgin/portable.h"

namespace jgin {

/// Offset of a dispatched row in a receive window.
JGIN_HD uint64_t received_at(const jgin_shape& s, uint64_t epoch, uint32_t source, uint32_t slot) {
  return (((epoch & 1) * s.ranks + source) * s.max_tokens + slot) * s.row_stride;
}

/// Offset of a count block in a receive window.
JGIN_HD uint64_t count_at(const jgin_shape& s, uint64_t epoch, uint32_t source) {
  return ((epoch & 1) * s.ranks + source) * s.count_stride;
}

/// Offset of a returned row in a receive window.
JGIN_HD uint64_t returned_at(const jgin_shape& s, uint64_t epoch, uint32_t token, uint32_t place) {
  return ((epoch & 1) * s.max_tokens * s.lanes + static_cast<uint64_t>(token) * s.lanes + place) *
         s.return_stride;
}

/// Index of a signal cell, in 8-byte words.
JGIN_HD uint64_t signal_at(const jgin_shape& s, uint32_t op, uint64_t epoch, uint32_t context,
                           uint32_t source) {
  return ((static_cast<uint64_t>(op) * 2 + (epoch & 1)) * s.contexts + context) * s.ranks + source;
}

/// The context that carries a row, as dev.jgin.moe.Geometry chooses it.
JGIN_HD uint32_t context_of(const jgin_shape& s, uint64_t slot, uint32_t peer, uint64_t epoch) {
  return static_cast<uint32_t>((slot + peer + epoch) % s.contexts);
}

/// The first expert of a rank; for rank == ranks the number of experts.
JGIN_HD uint32_t first_expert(uint32_t experts, uint32_t ranks, uint32_t rank) {
  return static_cast<uint32_t>(static_cast<uint64_t>(rank) * experts / ranks);
}

/// The rank that owns an expert: the largest r with first_expert(r) <= expert.
JGIN_HD uint32_t owner(uint32_t experts, uint32_t ranks, uint32_t expert) {
  // At most 2048 * 1024: 32 bits are enough, and half as slow on the device.
  return ((expert + 1) * ranks - 1) / experts;
}

JGIN_HD uint32_t element_bytes(uint32_t dtype) {
  return dtype == JGIN_FP32 ? 4 : dtype == JGIN_FP8_E4M3 ? 1 : 2;
}

/// Bytes of the scales of one row.
JGIN_HD uint64_t scale_bytes(uint32_t format, uint32_t hidden) {
  uint64_t blocks = ceil_div<uint64_t>(hidden, JGIN_SCALE_BLOCK);
  return format == JGIN_SCALE_FP32 ? 4 * blocks : format == JGIN_SCALE_UE8M0 ? blocks : 0;
}

/// Offsets of ids, weights and places in a dispatched row.
JGIN_HD uint32_t ids_at() { return sizeof(jgin_row_header); }
JGIN_HD uint32_t weights_at(const jgin_shape& s) { return ids_at() + 4 * s.top_k; }
JGIN_HD uint32_t places_at(const jgin_shape& s) { return ids_at() + 8 * s.top_k; }

/// Fills in every size and stride that follows from the first fields of a shape (up to `audit`) and
/// from expert_rows. For tests; Java computes the same.
JGIN_HD void complete(jgin_shape& s) {
  s.abi_version = JGIN_ABI_VERSION;
  s.first_expert = first_expert(s.experts, s.ranks, s.rank);
  s.local_experts = first_expert(s.experts, s.ranks, s.rank + 1) - s.first_expert;
  s.max_local_experts = ceil_div(s.experts, s.ranks);
  s.lanes = s.combine_mode == JGIN_CANONICAL || s.top_k < s.ranks ? s.top_k : s.ranks;
  uint64_t all = static_cast<uint64_t>(s.ranks) * s.max_tokens;
  if (s.expert_rows == 0) {
    uint64_t most = s.top_k < s.max_local_experts ? s.top_k : s.max_local_experts;
    s.expert_rows = s.layout == JGIN_ONE_ROW_PER_TOKEN
                        ? all
                        : all * most + (s.expert_alignment - 1) * s.max_local_experts;
  }
  s.received_rows = s.expert_rows < all ? s.expert_rows : all;
  s.input_bytes = static_cast<uint64_t>(element_bytes(s.input_dtype)) * s.hidden;
  s.payload_bytes = static_cast<uint64_t>(element_bytes(s.dtype)) * s.hidden;
  s.scale_bytes = scale_bytes(s.scale_format, s.hidden);
  s.combine_bytes = static_cast<uint64_t>(element_bytes(s.combine_dtype)) * s.hidden;
  s.payload_at = round_up<uint64_t>(ids_at() + 12 * s.top_k, JGIN_PART);
  s.scales_at = s.payload_at + s.payload_bytes;
  s.row_bytes = round_up<uint64_t>(s.scales_at + s.scale_bytes, JGIN_PART);
  s.row_stride = round_up<uint64_t>(s.row_bytes, JGIN_LINE);
  s.return_bytes = sizeof(jgin_return_header) + s.combine_bytes;
  s.return_stride = round_up<uint64_t>(s.return_bytes, JGIN_LINE);
  s.count_bytes = round_up<uint64_t>(sizeof(jgin_count_header) + 4 * s.max_local_experts, JGIN_PART);
  s.count_stride = round_up<uint64_t>(s.count_bytes, JGIN_LINE);
}

/// An error word: see abi.h.
JGIN_HD uint64_t error_word(uint32_t code, uint32_t kernel, uint32_t peer, uint64_t detail) {
  uint64_t p = peer < JGIN_ERROR_NO_PEER ? peer : JGIN_ERROR_NO_PEER;
  uint64_t d = detail < 0xFFFFFFFFull ? detail : 0xFFFFFFFFull;
  return static_cast<uint64_t>(code) << JGIN_ERROR_CODE_SHIFT |
         static_cast<uint64_t>(kernel) << JGIN_ERROR_KERNEL_SHIFT | p << JGIN_ERROR_PEER_SHIFT |
         d << JGIN_ERROR_DETAIL_SHIFT;
}

}  // namespace jgin
