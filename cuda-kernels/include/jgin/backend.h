// SPDX-License-Identifier: Apache-2.0
// What a device-side carrier offers (GinBackend) and what it promises (Axioms). Kernels build on the
// declared axioms and on nothing else; a backend that lacks one is refused where it is used, at
// compile time.
#pragma once

#include <concepts>

#include "jgin/portable.h"

namespace jgin {

/// The promises of a backend. Letters as in docs/architecture.md.
struct Axioms {
  /// A1w: puts of one lane become visible at the target in the order they were issued.
  bool puts_ordered;
  /// A4: a signal is seen only after every earlier put of its lane.
  bool signal_behind_lane;
  /// A signal is seen only after every earlier put of ALL lanes of the blocks that met before it:
  /// then one flag is sound.
  bool signal_cumulative;
  /// Whether put returns before the source may be overwritten; flush says when it may.
  bool puts_complete_later;
};

/// A put as a backend sees it: between windows, or from shared memory (`source`).
struct DevicePut {
  uint32_t context;
  uint32_t peer;
  uint32_t source_window;
  uint32_t target_window;
  uint64_t src_offset;
  uint64_t dst_offset;
  uint64_t bytes;
};

/// put: moves bytes; says nothing about when the target sees them.
/// put_value: stores one 8-byte value at the target; as little promised.
/// signal: stores or adds to a signal cell, behind what the backend's axioms say.
/// flush: until the sources of all puts of the calling thread may be overwritten. NOT visible remotely.
/// poll: whether a cell of this rank has reached a value; acquires if it has.
template <typename B>
concept GinBackend = requires(B& b, const DevicePut& p, uint64_t v, uint32_t n) {
  { B::AXIOMS } -> std::convertible_to<Axioms>;
  { b.put(p, v) } -> std::same_as<bool>;
  { b.put_value(n, n, n, v, v, v) } -> std::same_as<bool>;
  { b.signal(n, n, v, v) } -> std::same_as<bool>;
  { b.flush() };
  { b.poll(v, v) } -> std::same_as<bool>;
};

}  // namespace jgin
