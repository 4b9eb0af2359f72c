// SPDX-License-Identifier: Apache-2.0
// The fan-in barrier as non-blocking steps over flat state: no clock, no allocation, the world only
// through a port. The same code runs in kernels (each thread takes a slice of the cells) and on the
// host, where an explorer can copy, hash and compare states.
//
// arrive: store the epoch into every member's cell [epoch parity][context][self], on every context.
// poll:   every own cell of that parity has reached the epoch.
//
// Cells alternate by parity and hold absolute epochs, one writer each: nothing is added, so nothing
// drifts, and a replay within an epoch is harmless. Every member signals every member in every epoch,
// also when it sent nothing: a silent one would let a sender run two epochs ahead and overwrite rows
// that are still being read. With `contexts` = 1 it is the single flag, which is sound where the
// backend's release is cumulative (NVLINK) and unsound where lanes are not ordered (see proxy.h).
#pragma once

#include "jgin/portable.h"

namespace jgin {

/// Whether a counter has reached an epoch, correct also when both wrap.
JGIN_HD bool reached(uint64_t value, uint64_t epoch) {
  return static_cast<int64_t>(value - epoch) >= 0;
}

/// Flat state of one thread's slice: two words.
struct FanInState {
  uint64_t epoch;
  uint64_t cursor;
};

/// The shape of a barrier: equal on all members but for `self`.
struct FanIn {
  uint32_t members;
  uint32_t self;
  uint32_t contexts;

  JGIN_HD uint64_t signals() const { return static_cast<uint64_t>(members) * contexts; }

  /// Cell of (context, source) within one parity.
  JGIN_HD uint64_t cell(uint32_t context, uint32_t source) const {
    return static_cast<uint64_t>(context) * members + source;
  }

  /// Begins an epoch on slice `slice`.
  JGIN_HD FanInState begin(uint64_t epoch, uint32_t slice) const { return {epoch, slice}; }

  /// Signals what is left of the slice; true when all of it is. A port that returns false from
  /// try_signal is asked again at the next step: credits of a lane may be missing.
  template <typename Port>
  JGIN_HD bool arrive(FanInState& state, uint32_t slices, Port& port) const {
    for (; state.cursor < signals(); state.cursor += slices) {
      uint32_t context = static_cast<uint32_t>(state.cursor / members);
      // The member behind self first: were all to begin with member 0, it would be everyone's target.
      uint32_t member = static_cast<uint32_t>((state.cursor % members + self + 1) % members);
      if (!port.try_signal(context, member, cell(context, self), state.epoch)) return false;
    }
    return true;
  }

  /// Looks at what is left of the slice; true when all of it has arrived.
  template <typename Port>
  JGIN_HD bool poll(FanInState& state, uint32_t slices, Port& port) const {
    for (; state.cursor < signals(); state.cursor += slices) {
      uint32_t context = static_cast<uint32_t>(state.cursor / members);
      uint32_t source = static_cast<uint32_t>(state.cursor % members);
      if (!port.expects(source)) continue;
      if (!reached(port.load(cell(context, source)), state.epoch)) return false;
    }
    return true;
  }

  /// The member and context that a slice waits for, for messages.
  JGIN_HD uint32_t waits_for(const FanInState& s) const {
    return static_cast<uint32_t>(s.cursor % members);
  }
  JGIN_HD uint32_t waits_on(const FanInState& s) const {
    return static_cast<uint32_t>(s.cursor / members);
  }
};

}  // namespace jgin
