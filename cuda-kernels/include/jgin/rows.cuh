// SPDX-License-Identifier: Apache-2.0
// Work of one warp on one row: checksums, quantising, weighted sums.
#pragma once

#include <cuda_bf16.h>

#include "jgin/checksum.h"
#include "jgin/memory.cuh"
#include "jgin/numeric.h"

namespace jgin {

inline constexpr uint32_t ALL_LANES = 0xFFFFFFFFu;

/// checksum::of by a warp, the result in every lane. Lane l < 4 keeps accumulator l; all lanes load.
JGIN_D uint64_t warp_checksum(const uint64_t* words, uint64_t bytes, uint64_t seed) {
  uint32_t lane = threadIdx.x % 32;
  uint64_t accumulator = checksum::begin(seed, static_cast<int>(lane & 3));
  uint64_t n = bytes / 8, whole = n / 4 * 4;
  for (uint64_t from = 0; from < n; from += 32) {
    uint64_t mine = from + lane < n ? words[from + lane] : 0;
#pragma unroll
    for (uint32_t j = 0; j < 8; j++) {
      uint64_t word = __shfl_sync(ALL_LANES, mine, j * 4 + (lane & 3));
      if (from + j * 4 < whole) accumulator = checksum::round(accumulator, word);
    }
    // What is left over goes into the first accumulator.
    for (uint64_t i = max(whole, from); i < n && i < from + 32; i++) {
      uint64_t word = __shfl_sync(ALL_LANES, mine, static_cast<int>(i - from));
      if ((lane & 3) == 0) accumulator = checksum::round(accumulator, word);
    }
  }
  uint64_t a = __shfl_sync(ALL_LANES, accumulator, 0), b = __shfl_sync(ALL_LANES, accumulator, 1);
  uint64_t c = __shfl_sync(ALL_LANES, accumulator, 2), d = __shfl_sync(ALL_LANES, accumulator, 3);
  return checksum::finish(bytes, a, b, c, d);
}

/// checksum::of_row by a warp.
JGIN_D uint64_t warp_row_checksum(const void* row, uint64_t bytes) {
  const auto* words = static_cast<const uint64_t*>(row);
  return warp_checksum(words + 3, bytes - 24, warp_checksum(words, 16, 0));
}

/// The elements in 16 bytes.
template <uint32_t DTYPE>
struct Wide;

template <>
struct Wide<JGIN_BF16> {
  static constexpr uint32_t N = 8;
  JGIN_D static void unpack(const uint4& v, float (&x)[N]) {
    const uint32_t w[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
    for (int i = 0; i < 4; i++) {
      x[2 * i] = __uint_as_float(w[i] << 16);
      x[2 * i + 1] = __uint_as_float(w[i] & 0xFFFF0000u);
    }
  }
  JGIN_D static uint4 pack(const float (&x)[N]) {
    uint32_t w[4];
    bool nan = false;
#pragma unroll
    for (int i = 0; i < 4; i++) {
      __nv_bfloat162 pair = __floats2bfloat162_rn(x[2 * i], x[2 * i + 1]);
      __builtin_memcpy(&w[i], &pair, 4);
      nan |= isnan(x[2 * i]) || isnan(x[2 * i + 1]);
    }
    if (nan) {
      // The converter drops the payload of a NaN.
#pragma unroll
      for (int i = 0; i < 4; i++) {
        w[i] = numeric::bf16_rounded(x[2 * i]) >> 16 |
               (numeric::bf16_rounded(x[2 * i + 1]) & 0xFFFF0000u);
      }
    }
    return make_uint4(w[0], w[1], w[2], w[3]);
  }
};

template <>
struct Wide<JGIN_FP16> {
  static constexpr uint32_t N = 8;
  JGIN_D static void unpack(const uint4& v, float (&x)[N]) {
    const uint32_t w[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
    for (int i = 0; i < 4; i++) {
      x[2 * i] = __half2float(__ushort_as_half(static_cast<unsigned short>(w[i])));
      x[2 * i + 1] = __half2float(__ushort_as_half(static_cast<unsigned short>(w[i] >> 16)));
    }
  }
  JGIN_D static uint4 pack(const float (&x)[N]) {
    uint32_t w[4];
#pragma unroll
    for (int i = 0; i < 4; i++) {
      w[i] = __half_as_ushort(__float2half_rn(x[2 * i])) |
             static_cast<uint32_t>(__half_as_ushort(__float2half_rn(x[2 * i + 1]))) << 16;
    }
    return make_uint4(w[0], w[1], w[2], w[3]);
  }
};

template <>
struct Wide<JGIN_FP32> {
  static constexpr uint32_t N = 4;
  JGIN_D static void unpack(const uint4& v, float (&x)[N]) {
    x[0] = __uint_as_float(v.x);
    x[1] = __uint_as_float(v.y);
    x[2] = __uint_as_float(v.z);
    x[3] = __uint_as_float(v.w);
  }
  JGIN_D static uint4 pack(const float (&x)[N]) {
    return make_uint4(__float_as_uint(x[0]), __float_as_uint(x[1]), __float_as_uint(x[2]),
                      __float_as_uint(x[3]));
  }
};

/// Four elements as E4M3, the first in the lowest byte; a NaN loses its sign.
JGIN_D uint32_t to_fp8(const float* x) {
  return __nv_cvt_float2_to_fp8x2(make_float2(x[0], x[1]), __NV_SATFINITE, __NV_E4M3) |
         static_cast<uint32_t>(__nv_cvt_float2_to_fp8x2(make_float2(x[2], x[3]), __NV_SATFINITE, __NV_E4M3))
             << 16;
}

/// Whether E4M3 may round `y`, which is within 2 units in the last place of the true quotient, otherwise
/// than the quotient: near the middle between two E4M3 numbers, among the tiny ones, and NaNs.
JGIN_D bool doubtful(float y) {
  uint32_t m = __float_as_uint(y) & 0x7FFFFFFFu;
  return ((m + 4 - 0x80000u) & 0xFFFFFu) <= 8 || m < 0x3C800008u || m > 0x7F800000u;
}

/// Quantises a row in shared memory to E4M3 with a scale for each 128 elements, as
/// dev.jgin.moe.numeric.BlockQuantizer does it. By a warp, four vectors of 16 bytes a lane at once: a
/// chain of maximum, shuffles and scale is long, four of them side by side take hardly longer.
template <uint32_t DTYPE>
JGIN_D void quantize_row(const char* input, uint32_t hidden, uint32_t format, char* payload,
                         char* scales) {
  using W = Wide<DTYPE>;
  constexpr uint32_t LANES = JGIN_SCALE_BLOCK / W::N;  // that share a block: 16 or 32
  constexpr uint32_t GROUP = 4;
  uint32_t lane = threadIdx.x % 32;
  for (uint32_t from = lane * W::N; from - lane * W::N < hidden; from += GROUP * 32 * W::N) {
    float x[GROUP][W::N], largest[GROUP], scale[GROUP];
    uint8_t exponent[GROUP];
    uint32_t packed[GROUP][W::N / 4];
#pragma unroll
    for (uint32_t g = 0; g < GROUP; g++) {
      uint32_t at = from + g * 32 * W::N;
      uint4 zero = make_uint4(0, 0, 0, 0);
      W::unpack(at < hidden ? reinterpret_cast<const uint4*>(input)[at / W::N] : zero, x[g]);
      largest[g] = 0.0f;
#pragma unroll
      for (uint32_t i = 0; i < W::N; i++) {
        largest[g] = fmaxf(largest[g], numeric::finite_magnitude(x[g][i]));
      }
    }
#pragma unroll
    for (uint32_t d = LANES / 2; d > 0; d /= 2) {
#pragma unroll
      for (uint32_t g = 0; g < GROUP; g++) {
        largest[g] = fmaxf(largest[g], __shfl_xor_sync(ALL_LANES, largest[g], d));
      }
    }
    bool doubt = false;
#pragma unroll
    for (uint32_t g = 0; g < GROUP; g++) {
      scale[g] = format == JGIN_SCALE_NONE ? 1.0f : numeric::scale_of(largest[g]);
      exponent[g] = 0;
      if (format == JGIN_SCALE_UE8M0) {
        exponent[g] = numeric::ue8m0_ceil(scale[g]);
        scale[g] = numeric::ue8m0_to_float(exponent[g]);
      }
      // A product with the reciprocal stands for the quotient where E4M3 cannot tell them apart.
      float reciprocal = __frcp_rn(scale[g]), y[W::N];
#pragma unroll
      for (uint32_t i = 0; i < W::N; i++) {
        y[i] = x[g][i] * reciprocal;
        doubt |= doubtful(y[i]) && x[g][i] != 0.0f;
      }
#pragma unroll
      for (uint32_t i = 0; i < W::N / 4; i++) packed[g][i] = to_fp8(y + 4 * i);
    }
    if (doubt) {
#pragma unroll
      for (uint32_t g = 0; g < GROUP; g++) {
#pragma unroll
        for (uint32_t i = 0; i < W::N; i++) {
          // A division would lose the sign of a NaN.
          float q = isnan(x[g][i]) ? x[g][i] : __fdiv_rn(x[g][i], scale[g]);
          uint32_t shift = 8 * (i % 4);
          packed[g][i / 4] = (packed[g][i / 4] & ~(0xFFu << shift)) |
                             static_cast<uint32_t>(numeric::fp8_from_float(q)) << shift;
        }
      }
    }
#pragma unroll
    for (uint32_t g = 0; g < GROUP; g++) {
      uint32_t at = from + g * 32 * W::N;
      if (at >= hidden) continue;
#pragma unroll
      for (uint32_t i = 0; i < W::N / 4; i++) {
        reinterpret_cast<uint32_t*>(payload + at)[i] = packed[g][i];
      }
      if (lane % LANES == 0) {
        uint32_t block = at / JGIN_SCALE_BLOCK;
        if (format == JGIN_SCALE_FP32) reinterpret_cast<float*>(scales)[block] = scale[g];
        if (format == JGIN_SCALE_UE8M0) reinterpret_cast<uint8_t*>(scales)[block] = exponent[g];
      }
    }
  }
}

/// The weighted sum of up to 32 rows, for the two 16-byte columns `column` and `column + 32` of this
/// lane, straight from memory: lane l of the warp holds row l's address and weight, `rows` says which lanes
/// have one. Rows are added in lane order.
template <uint32_t DTYPE>
JGIN_D void sum_rows(uint32_t rows, const char* row, float weight, uint32_t column, uint32_t columns,
                     uint4 (&out)[2]) {
  using W = Wide<DTYPE>;
  constexpr int BATCH = 4;
  float acc[2][W::N];
#pragma unroll
  for (uint32_t i = 0; i < W::N; i++) acc[0][i] = acc[1][i] = 0.0f;
  while (rows != 0) {
    uint4 v[BATCH][2];
    uint32_t now = rows;
#pragma unroll
    for (int b = 0; b < BATCH; b++) {
      v[b][0] = v[b][1] = make_uint4(0, 0, 0, 0);
      if (rows != 0) {
        int from = __ffs(rows) - 1;
        rows &= rows - 1;
        const char* at =
            reinterpret_cast<const char*>(__shfl_sync(ALL_LANES, reinterpret_cast<uint64_t>(row), from));
        if (column < columns) v[b][0] = load_once(at + column * 16ull);
        if (column + 32 < columns) v[b][1] = load_once(at + (column + 32) * 16ull);
      }
    }
#pragma unroll
    for (int b = 0; b < BATCH; b++) {
      if (now != 0) {
        int from = __ffs(now) - 1;
        now &= now - 1;
        float w = __shfl_sync(ALL_LANES, weight, from);
#pragma unroll
        for (int c = 0; c < 2; c++) {
          float x[W::N];
          W::unpack(v[b][c], x);
#pragma unroll
          for (uint32_t i = 0; i < W::N; i++) {
            acc[c][i] = numeric::multiply_add(acc[c][i], w, x[i]);
          }
        }
      }
    }
  }
  out[0] = W::pack(acc[0]);
  out[1] = W::pack(acc[1]);
}

}  // namespace jgin
