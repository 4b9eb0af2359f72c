// SPDX-License-Identifier: Apache-2.0
// Stable places without atomics that hand out numbers: a chunk of 64 tokens has one 64-bit mask for
// each expert (and rank), bit t set if token t of the chunk names it. A token names an expert once, so
// the place of token t among the chunk's is the number of set bits below t, whatever order threads
// run in. Places of earlier chunks are added. Host and device.
#pragma once

#include "jgin/abi.h"
#include "jgin/portable.h"

namespace jgin::chunk {

inline constexpr uint32_t TOKENS = JGIN_PLAN_CHUNK;
static_assert(TOKENS == 64, "one bit of a 64-bit mask for each token");

JGIN_HD uint64_t bit(uint32_t token) { return uint64_t{1} << (token % TOKENS); }

/// How many tokens below `token` in its chunk have their bit set.
JGIN_HD uint32_t place(uint64_t mask, uint32_t token) { return popcount(mask & (bit(token) - 1)); }

/// Chunks of a routing; a routing without tokens has one, which is empty.
JGIN_HD uint32_t chunks(uint32_t tokens) {
  return tokens == 0 ? 1 : ceil_div<uint32_t>(tokens, TOKENS);
}

}  // namespace jgin::chunk
