// SPDX-License-Identifier: Apache-2.0
// What a layer must bring, written down as plainly as can be: loops over tokens and lanes, no plan, no
// slots. Shares element conversions with the kernels' headers (held to Java's in the host tests) and
// nothing else.
#pragma once

#include <cuda_fp16.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "jgin/layout.h"
#include "jgin/numeric.h"

namespace selftest {

/// SplitMix64: the same stream on every machine.
struct Random {
  uint64_t state;
  uint64_t next() {
    uint64_t z = (state += 0x9E3779B97F4A7C15ull);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
  }
  uint32_t below(uint32_t n) { return static_cast<uint32_t>(next() % n); }
  float unit() { return static_cast<float>(next() >> 40) * 0x1p-24f; }
};

inline uint64_t hash(uint64_t a, uint64_t b, uint64_t c, uint64_t d = 0) {
  Random r{a * 0x100000001B3ull ^ b * 0xD6E8FEB86659FD93ull ^ c << 20 ^ d << 44};
  return r.next();
}

inline float load(uint32_t dtype, const uint8_t* at) {
  uint16_t h;
  float f;
  switch (dtype) {
    case JGIN_BF16: std::memcpy(&h, at, 2); return jgin::numeric::bf16_to_float(h);
    case JGIN_FP16: std::memcpy(&h, at, 2); return __half2float(__ushort_as_half(h));
    default: std::memcpy(&f, at, 4); return f;
  }
}

inline void store(uint32_t dtype, uint8_t* at, float value) {
  uint16_t h;
  switch (dtype) {
    case JGIN_BF16: h = jgin::numeric::bf16_from_float(value); std::memcpy(at, &h, 2); break;
    case JGIN_FP16: h = __half_as_ushort(__float2half_rn(value)); std::memcpy(at, &h, 2); break;
    default: std::memcpy(at, &value, 4); break;
  }
}

/// The tokens of one rank.
struct Batch {
  uint32_t tokens = 0;
  std::vector<int32_t> ids;       // [tokens][K]
  std::vector<float> weights;     // [tokens][K]
  std::vector<uint8_t> payload;   // [tokens][input bytes]
  std::vector<uint8_t> scales;    // [tokens][scale bytes]
  // What is dispatched: the same, or quantised.
  std::vector<uint8_t> sent;
  std::vector<uint8_t> sent_scales;
};

inline void quantize(const jgin_shape& s, Batch& b) {
  b.sent = b.payload;
  b.sent_scales = b.scales;
  if (s.input_dtype == s.dtype) return;
  b.sent.assign(b.tokens * s.payload_bytes, 0);
  b.sent_scales.assign(b.tokens * s.scale_bytes, 0);
  uint32_t width = jgin::element_bytes(s.input_dtype);
  for (uint32_t t = 0; t < b.tokens; t++) {
    for (uint32_t from = 0; from < s.hidden; from += 128) {
      uint32_t n = std::min(128u, s.hidden - from);
      float largest = 0;
      auto x = [&](uint32_t i) {
        return load(s.input_dtype, &b.payload[t * s.input_bytes + (from + i) * width]);
      };
      for (uint32_t i = 0; i < n; i++) {
        float m = std::fabs(x(i));
        if (std::isfinite(m) && m > largest) largest = m;
      }
      float scale = s.scale_format == JGIN_SCALE_NONE ? 1.0f : jgin::numeric::scale_of(largest);
      uint8_t* scales = b.sent_scales.data() + t * s.scale_bytes;
      if (s.scale_format == JGIN_SCALE_FP32) std::memcpy(scales + from / 128 * 4, &scale, 4);
      if (s.scale_format == JGIN_SCALE_UE8M0) {
        scales[from / 128] = jgin::numeric::ue8m0_ceil(scale);
        scale = jgin::numeric::ue8m0_to_float(scales[from / 128]);
      }
      for (uint32_t i = 0; i < n; i++) {
        b.sent[t * s.payload_bytes + from + i] = jgin::numeric::fp8_from_float(x(i) / scale);
      }
    }
  }
}

inline Batch make_batch(const jgin_shape& s, uint32_t tokens, uint32_t masked_percent, uint64_t seed) {
  Random random{seed};
  Batch b;
  b.tokens = tokens;
  uint32_t width = jgin::element_bytes(s.input_dtype);
  for (uint32_t t = 0; t < tokens; t++) {
    std::vector<int32_t> free(s.experts);
    for (uint32_t e = 0; e < s.experts; e++) free[e] = static_cast<int32_t>(e);
    bool silent = masked_percent > 0 && random.below(10) == 0;
    for (uint32_t k = 0; k < s.top_k; k++) {
      // Cubed: some experts are named far more often than others.
      float u = random.unit();
      uint32_t pick = static_cast<uint32_t>(u * u * u * static_cast<float>(free.size()));
      int32_t id = free[pick];
      free.erase(free.begin() + pick);
      b.ids.push_back(silent || random.below(100) < masked_percent ? JGIN_NONE : id);
      b.weights.push_back(random.unit() - 0.25f);
    }
    for (uint32_t i = 0; i < s.hidden; i++) {
      uint8_t element[4];
      if (s.input_dtype == JGIN_FP8_E4M3) {
        element[0] = static_cast<uint8_t>(random.next());
      } else {
        float x = (random.unit() - 0.5f) * std::ldexp(1.0f, static_cast<int>(random.below(24)) - 16);
        if (random.below(4096) == 0) x = random.below(2) == 0 ? INFINITY : -INFINITY;
        store(s.input_dtype, element, x);
      }
      b.payload.insert(b.payload.end(), element, element + width);
    }
    if (s.input_dtype == s.dtype) {
      for (uint64_t i = 0; i < s.scale_bytes; i++) b.scales.push_back(static_cast<uint8_t>(random.next()));
    }
  }
  quantize(s, b);
  return b;
}

/// One row that a rank must have received.
struct Expected {
  uint32_t source;
  uint32_t token;
  std::vector<int32_t> local;  // [K]: local expert, or JGIN_NONE
};

inline std::vector<Expected> received_rows(const jgin_shape& s, const std::vector<Batch>& batches) {
  std::vector<Expected> rows;
  for (uint32_t source = 0; source < s.ranks; source++) {
    for (uint32_t t = 0; t < batches[source].tokens; t++) {
      Expected row{source, t, std::vector<int32_t>(s.top_k, JGIN_NONE)};
      bool any = false;
      for (uint32_t k = 0; k < s.top_k; k++) {
        int32_t id = batches[source].ids[t * s.top_k + k];
        int32_t local = id - static_cast<int32_t>(s.first_expert);
        if (id >= 0 && local >= 0 && local < static_cast<int32_t>(s.local_experts)) {
          row.local[k] = local;
          any = true;
        }
      }
      if (any) rows.push_back(row);
    }
  }
  return rows;
}

/// Element `i` of what an expert makes of a token: any function will do that tells all of them apart.
/// For one row per token: `who` is the rank, which has summed its experts already.
inline float expert_value(uint32_t source, uint32_t token, uint32_t who, uint32_t i) {
  uint64_t h = hash(source + 1, token, who, i);
  return (static_cast<float>(h >> 40) * 0x1p-24f - 0.5f) * 8.0f;
}

inline float rounded(uint32_t dtype, float x) {
  uint8_t bytes[4];
  store(dtype, bytes, x);
  return load(dtype, bytes);
}

/// The combined row of a token.
inline std::vector<uint8_t> combined(const jgin_shape& s, uint32_t rank, const Batch& b, uint32_t token) {
  std::vector<uint8_t> out(s.combine_bytes);
  uint32_t width = jgin::element_bytes(s.combine_dtype);
  for (uint32_t i = 0; i < s.hidden; i++) {
    volatile float acc = 0;  // volatile: each product and each sum is rounded
    auto id = [&](uint32_t k) { return b.ids[token * s.top_k + k]; };
    auto value = [&](uint32_t who) {
      return rounded(s.combine_dtype, expert_value(rank, token, who, i));
    };
    for (uint32_t k = 0; k < s.top_k; k++) {
      if (id(k) == JGIN_NONE) continue;
      if (s.combine_mode == JGIN_CANONICAL) {
        volatile float product = b.weights[token * s.top_k + k] * value(static_cast<uint32_t>(id(k)));
        acc = acc + product;
        continue;
      }
      uint32_t to = jgin::owner(s.experts, s.ranks, static_cast<uint32_t>(id(k)));
      bool first = true;
      for (uint32_t j = 0; j < k; j++) {
        if (id(j) != JGIN_NONE && jgin::owner(s.experts, s.ranks, static_cast<uint32_t>(id(j))) == to) {
          first = false;
        }
      }
      if (!first) continue;
      volatile float part = 0;
      if (s.layout == JGIN_ONE_ROW_PER_TOKEN) {
        part = value(100000 + to);
      } else {
        for (uint32_t j = k; j < s.top_k; j++) {
          if (id(j) == JGIN_NONE ||
              jgin::owner(s.experts, s.ranks, static_cast<uint32_t>(id(j))) != to) {
            continue;
          }
          volatile float product = b.weights[token * s.top_k + j] * value(static_cast<uint32_t>(id(j)));
          part = part + product;
        }
        part = rounded(s.combine_dtype, part);
      }
      acc = acc + part;
    }
    store(s.combine_dtype, &out[i * width], acc);
  }
  return out;
}

}  // namespace selftest
