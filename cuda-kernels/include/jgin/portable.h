// SPDX-License-Identifier: Apache-2.0
// What lets one header serve nvcc and a plain C++20 compiler, and the list of mutants.
//
// A mutant leaves out one ordering detail, so that a test can show that its absence would be noticed.
// None is ever defined in a shipped build. Where the line stands, the comment says what it prevents.
//
//   JGIN_MUTANT_BULK_READ_WAIT     senders wait for bulk stores to have READ their source, not for
//                                  their writes: signals may overtake the rows' last bytes
//   JGIN_MUTANT_NO_PROXY_FENCE     no fence between bulk stores and the release of the signal
//   JGIN_MUTANT_GPU_SCOPE          the release in front of signals has GPU scope, not system scope
//   JGIN_MUTANT_NO_WAIT            B and D do not wait for signals at all
//   JGIN_MUTANT_SIGNAL_FIRST       signals are sent before the blocks have met
//   JGIN_MUTANT_PLACE_OFF_BY_ONE   P gives every place one too high
//   JGIN_MUTANT_TORN_ROW           A writes one payload word wrong behind the checksum
//   JGIN_MUTANT_STALE_EPOCH        A tags rows with the epoch before
#pragma once

#include <stddef.h>
#include <stdint.h>

#if defined(__CUDACC__)
#define JGIN_HD __host__ __device__ __forceinline__
#define JGIN_D __device__ __forceinline__
#else
#define JGIN_HD inline
#endif

namespace jgin {

JGIN_HD uint32_t popcount(uint64_t bits) {
#if defined(__CUDA_ARCH__)
  return __popcll(bits);
#else
  return static_cast<uint32_t>(__builtin_popcountll(bits));
#endif
}

template <typename T>
JGIN_HD T ceil_div(T a, T b) {
  return (a + b - 1) / b;
}

template <typename T>
JGIN_HD T round_up(T a, T to) {
  return ceil_div(a, to) * to;
}

/// Bits of a value, without touching it.
template <typename To, typename From>
JGIN_HD To bits_as(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  __builtin_memcpy(&to, &from, sizeof(To));
  return to;
}

}  // namespace jgin
