// SPDX-License-Identifier: Apache-2.0
// The proxy's ring: descriptors of eight words, each with its lap's phase in bit 63. A consumer takes a
// descriptor when all eight words have the phase of its lap, in whatever order they became visible, so
// there is no doorbell and no order between stores to rely on. Host and device; abi.h has the layout.
#pragma once

#include "jgin/abi.h"
#include "jgin/portable.h"

namespace jgin::ring {

inline constexpr uint64_t PHASE = uint64_t{1} << JGIN_PHASE_SHIFT;

/// The phase of a position: 1 on even laps, so that fresh memory is not valid. `size`: a power of two.
JGIN_HD uint64_t phase(uint64_t position, uint64_t size) {
  return (position & size) == 0 ? PHASE : 0;
}

/// Whether a position may be written: its slot's descriptor of the lap before has been taken.
JGIN_HD bool has_room(uint64_t position, uint64_t consumed, uint64_t size) {
  return position - consumed < size;
}

/// What one descriptor says.
struct Put {
  uint32_t operation;
  uint32_t source_window;
  uint32_t target_window;
  uint32_t context;
  uint32_t peer;
  uint64_t src_offset;
  uint64_t dst_offset;
  uint64_t bytes;
  uint64_t value;
  uint64_t high;
  uint64_t epoch;
};

JGIN_HD uint64_t head(const Put& p) {
  return static_cast<uint64_t>(p.operation) << JGIN_DESCRIPTOR_OPERATION_SHIFT |
         static_cast<uint64_t>(p.source_window) << JGIN_DESCRIPTOR_SOURCE_WINDOW_SHIFT |
         static_cast<uint64_t>(p.target_window) << JGIN_DESCRIPTOR_TARGET_WINDOW_SHIFT |
         static_cast<uint64_t>(p.context) << JGIN_DESCRIPTOR_CONTEXT_SHIFT |
         static_cast<uint64_t>(p.peer) << JGIN_DESCRIPTOR_PEER_SHIFT;
}

/// Word `i` of the descriptor at `position`, phase included.
JGIN_HD uint64_t word(const Put& p, int i, uint64_t position, uint64_t size) {
  uint64_t w = 0;
  switch (i) {
    case 0: w = head(p); break;
    case 1: w = p.src_offset; break;
    case 2: w = p.dst_offset; break;
    case 3: w = p.bytes; break;
    case 4: w = p.value; break;
    case 5: w = p.high; break;
    case 6: w = p.epoch; break;
    default: w = position; break;
  }
  return (w & ~PHASE) | phase(position, size);
}

/// The host's side: reads the descriptor at `position`; false if a word of it is not there yet. `load(i)`
/// reads word i, with acquire.
template <typename Load>
inline bool take(Put& p, uint64_t position, uint64_t size, Load load) {
  uint64_t words[JGIN_DESCRIPTOR_WORDS];
  for (int i = 0; i < JGIN_DESCRIPTOR_WORDS; i++) {
    words[i] = load(i);
    if ((words[i] & PHASE) != phase(position, size)) return false;
    words[i] &= ~PHASE;
  }
  if (words[7] != (position & ~PHASE)) return false;
  auto part = [&](int shift, uint32_t mask) {
    return static_cast<uint32_t>(words[0] >> shift) & mask;
  };
  p.operation = part(JGIN_DESCRIPTOR_OPERATION_SHIFT, 0xFF);
  p.source_window = part(JGIN_DESCRIPTOR_SOURCE_WINDOW_SHIFT, 0xFF);
  p.target_window = part(JGIN_DESCRIPTOR_TARGET_WINDOW_SHIFT, 0xFF);
  p.context = part(JGIN_DESCRIPTOR_CONTEXT_SHIFT, 0xFF);
  p.peer = part(JGIN_DESCRIPTOR_PEER_SHIFT, 0xFFFF);
  p.src_offset = words[1];
  p.dst_offset = words[2];
  p.bytes = words[3];
  p.value = words[4];
  p.high = words[5];
  p.epoch = words[6];
  return true;
}

}  // namespace jgin::ring
