// SPDX-License-Identifier: Apache-2.0
// Runs a layer on a World and holds everything it wrote against the oracle, bit for bit.
#pragma once

#include <string>

#include "oracle.h"
#include "world.h"

namespace selftest {

struct Failures {
  int count = 0;
  std::string where;

  template <typename... Args>
  void expect(bool ok, const char* format, Args... args) {
    if (ok) return;
    if (count++ < 5) {
      std::printf("FAILED %s: ", where.c_str());
      if constexpr (sizeof...(args) == 0) {
        std::printf("%s", format);
      } else {
        std::printf(format, args...);
      }
      std::printf("\n");
    }
  }
};

inline void upload(World& w, const std::vector<Batch>& batches) {
  for (uint32_t r = 0; r < w.ranks(); r++) {
    const Batch& b = batches[r];
    put<uint32_t>(w.at(r).plan.input_tokens, {b.tokens});
    put(w.at(r).plan.input_ids, b.ids);
    put(w.at(r).plan.input_weights, b.weights);
    put(w.at(r).rank.payload, b.payload);
    put(w.at(r).rank.scales, b.scales);
  }
}

inline void poison_outputs(World& w) {
  for (uint32_t r = 0; r < w.ranks(); r++) {
    const jgin_rank& k = w.at(r).rank;
    const jgin_shape& s = k.shape;
    auto fill = [](uint64_t at, uint64_t bytes) {
      CHECK(cudaMemset(reinterpret_cast<void*>(at), POISON, bytes));
    };
    fill(k.expert_payload, s.expert_rows * s.payload_bytes);
    fill(k.expert_scales, s.expert_rows * s.scale_bytes);
    fill(k.row_received, s.expert_rows * 4);
    fill(k.received_source, s.received_rows * 4);
    fill(k.received_token, s.received_rows * 4);
    fill(k.expert_output, s.expert_rows * s.combine_bytes);
    fill(k.output, s.max_tokens * s.combine_bytes);
  }
}

inline bool same(const std::vector<uint8_t>& have, uint64_t at, const std::vector<uint8_t>& want,
                 uint64_t from, uint64_t bytes) {
  return std::memcmp(have.data() + at, want.data() + from, bytes) == 0;
}

inline bool zero(const std::vector<uint8_t>& have, uint64_t at, uint64_t bytes) {
  for (uint64_t i = 0; i < bytes; i++) if (have[at + i] != 0) return false;
  return true;
}

/// Everything that B wrote on one rank.
inline void verify_dispatch(World& w, uint32_t rank, const std::vector<Batch>& batches, Failures& f) {
  const jgin_launch& l = w.at(rank);
  const jgin_shape& s = l.rank.shape;
  std::vector<Expected> rows = received_rows(s, batches);
  auto payload = fetch<uint8_t>(l.rank.expert_payload, s.expert_rows * s.payload_bytes);
  auto scales = fetch<uint8_t>(l.rank.expert_scales, s.expert_rows * s.scale_bytes);
  auto row_received = fetch<int32_t>(l.rank.row_received, s.expert_rows);
  auto source = fetch<int32_t>(l.rank.received_source, s.received_rows);
  auto token = fetch<int32_t>(l.rank.received_token, s.received_rows);
  auto expert = fetch<int32_t>(l.rank.received_expert, s.received_rows * s.top_k);
  auto weight = fetch<float>(l.rank.received_weight, s.received_rows * s.top_k);
  auto start = fetch<uint32_t>(l.plan.expert_start, s.local_experts + 1);
  auto counts = fetch<uint32_t>(l.plan.expert_row_counts, s.local_experts);
  auto report = reinterpret_cast<const jgin_report*>(l.rank.report);
  f.expect(report->received_rows == rows.size(), "rank %u: %lu rows received, expected %zu", rank,
           report->received_rows, rows.size());
  for (size_t i = 0; i < rows.size(); i++) {
    const Expected& e = rows[i];
    f.expect(source[i] == static_cast<int32_t>(e.source) && token[i] == static_cast<int32_t>(e.token),
             "rank %u, received row %zu: is token %d of rank %d, expected %u of %u", rank, i, token[i],
             source[i], e.token, e.source);
    for (uint32_t k = 0; k < s.top_k; k++) {
      float want = e.local[k] >= 0 ? batches[e.source].weights[e.token * s.top_k + k] : 0.0f;
      f.expect(expert[i * s.top_k + k] == e.local[k] && weight[i * s.top_k + k] == want,
               "rank %u, received row %zu, lane %u: expert %d, expected %d", rank, i, k,
               expert[i * s.top_k + k], e.local[k]);
    }
  }
  auto check_row = [&](uint64_t row, const Expected& e) {
    f.expect(same(payload, row * s.payload_bytes, batches[e.source].sent, e.token * s.payload_bytes,
                  s.payload_bytes),
             "rank %u, row %lu: payload is not that of token %u of rank %u", rank, row, e.token, e.source);
    f.expect(same(scales, row * s.scale_bytes, batches[e.source].sent_scales, e.token * s.scale_bytes,
                  s.scale_bytes),
             "rank %u, row %lu: scales are not those of token %u of rank %u", rank, row, e.token, e.source);
  };
  if (s.layout == JGIN_ONE_ROW_PER_TOKEN) {
    for (size_t i = 0; i < rows.size(); i++) {
      check_row(i, rows[i]);
      f.expect(row_received[i] == static_cast<int32_t>(i), "rank %u, row %zu: origin", rank, i);
    }
    return;
  }
  auto row_lane = fetch<int32_t>(l.rank.row_lane, s.expert_rows);
  auto row_weight = fetch<float>(l.rank.row_weight, s.expert_rows);
  uint64_t next = 0;
  for (uint32_t e = 0; e < s.local_experts; e++) {
    f.expect(start[e] == next, "rank %u, expert %u: starts at %u, expected %lu", rank, e, start[e], next);
    uint64_t row = next;
    for (size_t i = 0; i < rows.size(); i++) {
      for (uint32_t k = 0; k < s.top_k; k++) {
        if (rows[i].local[k] != static_cast<int32_t>(e)) continue;
        check_row(row, rows[i]);
        f.expect(row_received[row] == static_cast<int32_t>(i) && row_lane[row] == static_cast<int32_t>(k) &&
                     row_weight[row] == batches[rows[i].source].weights[rows[i].token * s.top_k + k],
                 "rank %u, row %lu: origin is row %d lane %d, expected %zu lane %u", rank, row,
                 row_received[row], row_lane[row], i, k);
        row++;
      }
    }
    f.expect(counts[e] == row - next, "rank %u, expert %u: %u rows, expected %lu", rank, e, counts[e],
             row - next);
    next = jgin::round_up<uint64_t>(row, s.expert_alignment);
    for (; row < next; row++) {
      f.expect(zero(payload, row * s.payload_bytes, s.payload_bytes) &&
                   zero(scales, row * s.scale_bytes, s.scale_bytes) && row_received[row] == JGIN_NONE,
               "rank %u, row %lu: padding is not zero", rank, row);
    }
  }
  f.expect(report->total_rows == next, "rank %u: %lu expert rows, expected %lu", rank,
           report->total_rows, next);
  if (next < s.expert_rows) {
    f.expect(payload[next * s.payload_bytes] == POISON, "rank %u: written past the last row", rank);
  }
}

/// What the experts would write, from the oracle's rows.
inline void run_experts(World& w, uint32_t rank, const std::vector<Batch>& batches) {
  const jgin_launch& l = w.at(rank);
  const jgin_shape& s = l.rank.shape;
  std::vector<Expected> rows = received_rows(s, batches);
  uint32_t width = jgin::element_bytes(s.combine_dtype);
  std::vector<uint8_t> out(s.expert_rows * s.combine_bytes, POISON);
  auto write = [&](uint64_t row, const Expected& e, uint32_t who) {
    for (uint32_t i = 0; i < s.hidden; i++) {
      store(s.combine_dtype, &out[row * s.combine_bytes + i * width],
            expert_value(e.source, e.token, who, i));
    }
  };
  if (s.layout == JGIN_ONE_ROW_PER_TOKEN) {
    for (size_t i = 0; i < rows.size(); i++) write(i, rows[i], 100000 + rank);
  } else {
    uint64_t next = 0;
    for (uint32_t e = 0; e < s.local_experts; e++) {
      uint64_t row = next;
      for (const Expected& x : rows) {
        for (uint32_t k = 0; k < s.top_k; k++) {
          if (x.local[k] == static_cast<int32_t>(e)) write(row++, x, s.first_expert + e);
        }
      }
      next = jgin::round_up<uint64_t>(row, s.expert_alignment);
    }
  }
  put(l.rank.expert_output, out);
}

inline void verify_combine(World& w, uint32_t rank, const std::vector<Batch>& batches, Failures& f) {
  const jgin_launch& l = w.at(rank);
  const jgin_shape& s = l.rank.shape;
  auto output = fetch<uint8_t>(l.rank.output, s.max_tokens * s.combine_bytes);
  for (uint32_t t = 0; t < batches[rank].tokens; t++) {
    f.expect(same(output, t * s.combine_bytes, combined(s, rank, batches[rank], t), 0, s.combine_bytes),
             "rank %u: combined token %u differs", rank, t);
  }
  if (batches[rank].tokens < s.max_tokens) {
    f.expect(output[batches[rank].tokens * s.combine_bytes] == POISON,
             "rank %u: written past the last token", rank);
  }
}

inline void verify_quiet(World& w, Failures& f) {
  for (uint32_t r = 0; r < w.ranks(); r++) {
    f.expect(w.error(r) == 0, "rank %u: error word %lx", r, w.error(r));
    f.expect(w.violations(r) == 0, "rank %u: %lu violations", r, w.violations(r));
    for (const auto& v : w.violation_records(r)) {
      f.expect(false, "check %u symptom %u kernel %u peer %d row %ld: expected %ld seen %ld", v.check,
               v.symptom, v.kernel, v.peer, v.row, v.expected, v.seen);
    }
  }
}

}  // namespace selftest
