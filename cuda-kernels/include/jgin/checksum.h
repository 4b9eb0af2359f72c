// SPDX-License-Identifier: Apache-2.0
// The checksum of dev.jgin.moe.check.Checksum, bit for bit: the rounds of xxHash64 over four
// accumulators. Host and device; a test holds it against values that the Java function printed.
#pragma once

#include "jgin/portable.h"

namespace jgin::checksum {

inline constexpr uint64_t P1 = 0x9E3779B185EBCA87ull;
inline constexpr uint64_t P2 = 0xC2B2AE3D27D4EB4Full;
inline constexpr uint64_t P3 = 0x165667B19E3779F9ull;
inline constexpr uint64_t P4 = 0x85EBCA77C2B2AE63ull;

/// One round: folds a word into an accumulator. The rotation keeps two flipped top bits apart.
JGIN_HD uint64_t round(uint64_t accumulator, uint64_t word) {
  uint64_t a = accumulator + word * P2;
  return ((a << 31) | (a >> 33)) * P1;
}

/// Folds one more word into a checksum.
JGIN_HD uint64_t mix(uint64_t checksum, uint64_t word) {
  uint64_t h = (checksum ^ round(0, word)) * P1 + P4;
  h ^= h >> 33;
  h *= P2;
  h ^= h >> 29;
  return h;
}

/// What accumulator 0 to 3 begins with.
JGIN_HD uint64_t begin(uint64_t seed, int accumulator) {
  switch (accumulator) {
    case 0: return seed + P1;
    case 1: return seed ^ P2;
    case 2: return seed + P3;
    default: return seed ^ P4;
  }
}

/// The accumulators become the checksum of `bytes` bytes.
JGIN_HD uint64_t finish(uint64_t bytes, uint64_t a, uint64_t b, uint64_t c, uint64_t d) {
  return mix(mix(mix(mix(bytes, a), b), c), d);
}

/// The checksum of `bytes` bytes, a multiple of 8, at an address that is a multiple of 8.
JGIN_HD uint64_t of(const uint64_t* words, uint64_t bytes, uint64_t seed) {
  uint64_t a = begin(seed, 0), b = begin(seed, 1), c = begin(seed, 2), d = begin(seed, 3);
  uint64_t n = bytes / 8, i = 0;
  for (; i + 4 <= n; i += 4) {
    a = round(a, words[i]);
    b = round(b, words[i + 1]);
    c = round(c, words[i + 2]);
    d = round(d, words[i + 3]);
  }
  for (; i < n; i++) a = round(a, words[i]);
  return finish(bytes, a, b, c, d);
}

/// The checksum of a row: of all its bytes but the checksum's own, which are word 2.
JGIN_HD uint64_t of_row(const uint64_t* row, uint64_t bytes) {
  return of(row + 3, bytes - 24, of(row, 16, 0));
}

/// One expert's part in the hash of a count block. Parts are combined by exclusive or, so that threads
/// need no order; each carries its expert, so that exchanged counts show.
JGIN_HD uint64_t count_part(uint32_t expert, uint32_t count) { return mix(expert, count); }

/// The hash of a count block, from its parts together.
JGIN_HD uint64_t count_hash(uint64_t seed, uint32_t rows, uint32_t tokens, uint64_t parts) {
  return mix(mix(mix(seed, rows), tokens), parts);
}

}  // namespace jgin::checksum
