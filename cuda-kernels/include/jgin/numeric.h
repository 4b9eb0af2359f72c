// SPDX-License-Identifier: Apache-2.0
// The element types of dev.jgin.moe.numeric, bit for bit: rounding to nearest, ties to even; a product
// and a sum are two FP32 roundings, never a fused one. Host and device. (NaNs stay NaNs; only BF16
// promises their payload.)
#pragma once

#include "jgin/abi.h"
#include "jgin/portable.h"

#if defined(__CUDACC__)
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#endif

namespace jgin::numeric {

JGIN_HD float bf16_to_float(uint32_t bits) { return bits_as<float>(bits << 16); }

/// The upper half is the BF16; the carry would turn a NaN with a full payload into -0: the branch
/// keeps NaNs out of it.
JGIN_HD uint32_t bf16_rounded(float value) {
  uint32_t bits = bits_as<uint32_t>(value);
  if ((bits & 0x7FFFFFFFu) > 0x7F800000u) return bits | 0x00400000u;
  return bits + 0x7FFFu + ((bits >> 16) & 1);
}

JGIN_HD uint16_t bf16_from_float(float value) {
  return static_cast<uint16_t>(bf16_rounded(value) >> 16);
}

/// E4M3 with saturation: a magnitude above 448 becomes 448, a NaN the NaN of its sign.
JGIN_HD uint8_t fp8_from_float(float value) {
  uint32_t bits = bits_as<uint32_t>(value);
  uint32_t sign = (bits >> 24) & 0x80u;
  uint32_t m = bits & 0x7FFFFFFFu;
  if (m > 0x7F800000u) return static_cast<uint8_t>(sign | 0x7F);
#if defined(__CUDA_ARCH__)
  // The converter does the same but for a NaN's sign.
  return static_cast<uint8_t>(__nv_cvt_float_to_fp8(value, __NV_SATFINITE, __NV_E4M3));
#else
  if (m >= 0x43E00000u) return static_cast<uint8_t>(sign | 0x7E);  // 448
  if (m >= 0x3C800000u) {                                          // 2^-6, the smallest normal one
    uint32_t rounded = m + 0x7FFFFu + ((m >> 20) & 1);
    return static_cast<uint8_t>(sign | ((rounded >> 20) - ((127 - 7) << 3)));
  }
  // The FP32 adder rounds to a multiple of 2^-9, the smallest subnormal one.
  float shifted = bits_as<float>(m) + 0x1p14f;
  return static_cast<uint8_t>(sign | (bits_as<uint32_t>(shifted) - 0x46800000u));
#endif
}

/// The smallest power of two that is not below a scale which is positive, finite and normal.
JGIN_HD uint8_t ue8m0_ceil(float scale) {
  uint32_t bits = bits_as<uint32_t>(scale);
  uint32_t exponent = (bits >> 23) + ((bits & 0x007FFFFFu) != 0 ? 1 : 0);
  return static_cast<uint8_t>(exponent > 254 ? 0xFF : exponent);
}

JGIN_HD float ue8m0_to_float(uint8_t bits) {
  return bits == 0 ? 0x1p-127f : bits_as<float>(static_cast<uint32_t>(bits) << 23);
}

/// The scale of a block whose largest finite magnitude is `largest`.
JGIN_HD float scale_of(float largest) {
  if (largest == 0.0f) return 1.0f;
#if defined(__CUDA_ARCH__)
  float scale = __fdiv_rn(largest, 448.0f);
#else
  float scale = largest / 448.0f;
#endif
  return scale < 0x1p-126f ? 0x1p-126f : scale;
}

/// A magnitude as the scale sees it: NaN and infinity count as 0.
JGIN_HD float finite_magnitude(float x) {
  uint32_t m = bits_as<uint32_t>(x) & 0x7FFFFFFFu;
  return m < 0x7F800000u ? bits_as<float>(m) : 0.0f;
}

/// acc + w * x, two roundings.
JGIN_HD float multiply_add(float acc, float w, float x) {
#if defined(__CUDA_ARCH__)
  return __fadd_rn(acc, __fmul_rn(w, x));
#else
  // Built with -ffp-contract=off.
  float product = w * x;
  return acc + product;
#endif
}

}  // namespace jgin::numeric
