// SPDX-License-Identifier: Apache-2.0
// Where bytes stand, who owns what, and places by bit masks: against plain loops.
#include "expect.h"

#include <set>

#include "jgin/chunk.h"
#include "jgin/layout.h"

namespace {

using namespace jgin;

jgin_shape shape() {
  jgin_shape s = {};
  s.ranks = 3;
  s.rank = 1;
  s.experts = 10;
  s.top_k = 6;
  s.hidden = 208;
  s.dtype = s.input_dtype = JGIN_FP8_E4M3;
  s.scale_format = JGIN_SCALE_FP32;
  s.combine_dtype = JGIN_BF16;
  s.max_tokens = 7;
  s.contexts = 2;
  s.expert_alignment = 4;
  complete(s);
  return s;
}

TEST(shouldFindTheOwnerOfEveryExpert) {
  for (uint32_t experts : {1u, 2u, 5u, 8u, 255u, 256u, 2048u}) {
    for (uint32_t ranks : {1u, 2u, 3u, 7u, 8u, 64u, 1000u, 1024u}) {
      for (uint32_t e = 0; e < experts; e++) {
        uint32_t r = owner(experts, ranks, e);
        EXPECT(r < ranks && first_expert(experts, ranks, r) <= e && e < first_expert(experts, ranks, r + 1));
      }
    }
  }
}

TEST(shouldCompleteAShape) {
  jgin_shape s = shape();
  EXPECT(s.first_expert == 3 && s.local_experts == 3 && s.max_local_experts == 4);
  EXPECT(s.lanes == 6 && s.payload_at == 112 && s.scales_at == 320 && s.scale_bytes == 8);
  EXPECT(s.row_bytes == 336 && s.row_stride == 384);
  EXPECT(s.return_bytes == 448 && s.return_stride == 512);
  EXPECT(s.count_bytes == 48 && s.count_stride == 128);
  EXPECT(s.expert_rows == 3 * 7 * 4 + 3 * 4 && s.received_rows == 21);
}

TEST(shouldKeepAllOffsetsApart) {
  jgin_shape s = shape();
  std::set<uint64_t> rows, counts, returns, signals;
  for (uint64_t epoch : {8ull, 9ull}) {
    for (uint32_t source = 0; source < s.ranks; source++) {
      for (uint32_t slot = 0; slot < s.max_tokens; slot++) rows.insert(received_at(s, epoch, source, slot));
      counts.insert(count_at(s, epoch, source));
      for (uint32_t op : {0u, 1u}) {
        for (uint32_t c = 0; c < s.contexts; c++) signals.insert(signal_at(s, op, epoch, c, source));
      }
    }
    for (uint32_t t = 0; t < s.max_tokens; t++) {
      for (uint32_t l = 0; l < s.lanes; l++) returns.insert(returned_at(s, epoch, t, l));
    }
  }
  EXPECT(rows.size() == 2 * 3 * 7 && *rows.rbegin() == 41 * s.row_stride);
  EXPECT(counts.size() == 6 && *counts.rbegin() == 5 * s.count_stride);
  EXPECT(returns.size() == 2 * 7 * 6 && *returns.rbegin() == 83 * s.return_stride);
  EXPECT(signals.size() == 24 && *signals.rbegin() == 23);
}

TEST(shouldPackErrors) {
  EXPECT(error_word(JGIN_ERROR_DEADLINE, JGIN_KERNEL_COMBINE_REDUCE, 5, 7) == 0x0000000700050401ull);
  EXPECT(error_word(JGIN_ERROR_CAPACITY, 2, 1u << 20, 1ull << 40) == 0xFFFFFFFFFFFF0202ull);
}

TEST(shouldGiveEveryLaneTheNumberOfEarlierOnes) {
  hosttest::Random random{7};
  for (int round = 0; round < 50; round++) {
    uint32_t tokens = random.below(300), experts = 1 + random.below(40);
    std::vector<uint32_t> seen(experts, 0), before(experts, 0);
    std::vector<std::vector<bool>> names(tokens, std::vector<bool>(experts));
    for (auto& token : names) {
      for (uint32_t e = 0; e < experts; e++) token[e] = random.below(3) == 0;
    }
    EXPECT(chunk::chunks(tokens) >= 1 && chunk::chunks(tokens) * 64 >= tokens);
    for (uint32_t c = 0; c < chunk::chunks(tokens); c++) {
      uint32_t first = c * chunk::TOKENS, end = first + 64 < tokens ? first + 64 : tokens;
      std::vector<uint64_t> masks(experts, 0);
      for (uint32_t t = first; t < end; t++) {
        for (uint32_t e = 0; e < experts; e++) if (names[t][e]) masks[e] |= chunk::bit(t - first);
      }
      for (uint32_t t = first; t < end; t++) {
        for (uint32_t e = 0; e < experts; e++) {
          if (names[t][e]) EXPECT(before[e] + chunk::place(masks[e], t - first) == seen[e]++);
        }
      }
      for (uint32_t e = 0; e < experts; e++) before[e] += popcount(masks[e]);
    }
    EXPECT(before == seen);
  }
}

}  // namespace
