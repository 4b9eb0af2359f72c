// SPDX-License-Identifier: Apache-2.0
// PROXY: puts and signals are descriptors in a ring of pinned memory, which a host thread posts to any
// fabric. See ring.h for why no order between the stores of a descriptor matters.
#pragma once

#include "jgin/backend.h"
#include "jgin/fan_in.h"
#include "jgin/ring.h"
#include "jgin/session.cuh"

namespace jgin {

/// One rank's view of its PROXY peers, for one kernel.
class Proxy {
 public:
  /// Descriptors of one ring reach one lane in ring order; what that lane promises is the fabric's to
  /// declare, and the barrier that relies on it runs on the host. So the device side claims nothing.
  static constexpr Axioms AXIOMS = {.puts_ordered = false,
                                    .signal_behind_lane = false,
                                    .signal_cumulative = false,
                                    .puts_complete_later = true};

  JGIN_D Proxy(const jgin_rank& rank, uint32_t kernel, uint32_t op, uint64_t epoch)
      : rank_(rank), kernel_(kernel), op_(op), epoch_(epoch) {}

  /// By one thread. The source must be complete in the send window: whoever wrote it has flushed.
  /// False if the ring had no room until the deadline; the error word says so.
  JGIN_D bool put(const DevicePut& p, uint64_t value) {
    atomicAdd(reinterpret_cast<unsigned long long*>(&ring(p.context, p.peer).puts), 1ull);
    return push({JGIN_PROXY_PUT, p.source_window, p.target_window, p.context, p.peer, p.src_offset,
                 p.dst_offset, p.bytes, value, 0, epoch_});
  }

  JGIN_D bool put_value(uint32_t context, uint32_t peer, uint32_t window, uint64_t offset,
                        uint64_t value, uint64_t) {
    atomicAdd(reinterpret_cast<unsigned long long*>(&ring(context, peer).puts), 1ull);
    return push({JGIN_PROXY_PUT_VALUE, 0, window, context, peer, 0, offset, 8, value & ~ring::PHASE,
                 value >> JGIN_PHASE_SHIFT, epoch_});
  }

  JGIN_D bool signal(uint32_t context, uint32_t peer, uint64_t cell, uint64_t addend) {
    return push({JGIN_PROXY_SIGNAL, 0, JGIN_WINDOW_SIGNALS, context, peer, 0, cell * 8, 8,
                 addend & ~ring::PHASE, 0, epoch_});
  }

  /// By one thread, when all puts of the operation are in the rings.
  JGIN_D bool arrive(uint32_t context, uint32_t peer) {
    uint64_t puts =
        atomicExch(reinterpret_cast<unsigned long long*>(&ring(context, peer).puts), 0ull);
    return push({JGIN_PROXY_ARRIVE, 0, 0, context, peer, 0, 0, 0, puts, op_, epoch_});
  }

  /// Nothing to wait for: the host publishes the operation's epoch only when its sources are free.
  JGIN_D void flush() {}

  /// Whether the operation's barrier has been passed.
  JGIN_D bool poll(uint64_t, uint64_t epoch) {
    return reached(load_acquire_sys(&words()[op_].epoch), epoch);
  }

  JGIN_D uint64_t failed() { return load_relaxed_sys(&words()[op_].error); }

 private:
  JGIN_D jgin_ring& ring(uint32_t context, uint32_t peer) {
    return pointer<jgin_ring>(rank_.rings)[context * rank_.shape.ranks + peer];
  }

  JGIN_D jgin_proxy_word* words() { return pointer<jgin_proxy_word>(rank_.proxy_words); }

  JGIN_D bool push(const ring::Put& p) {
    jgin_ring& to = ring(p.context, p.peer);
    uint64_t position =
        atomicAdd(reinterpret_cast<unsigned long long*>(&to.produced), 1ull);
    Watch watch(rank_, kernel_);
    while (!ring::has_room(position, load_relaxed_sys(pointer<void>(to.consumed)), to.size)) {
      if (watch.over(JGIN_ERROR_RING_FULL, p.peer, p.context)) return false;
    }
    // System scope: the reader is the host, or a network card that the host sets off.
    fence_acq_rel_sys();
    auto* words = pointer<uint64_t>(to.descriptors) +
                  (position & (to.size - 1)) * JGIN_DESCRIPTOR_WORDS;
#pragma unroll
    for (int i = 0; i < JGIN_DESCRIPTOR_WORDS; i++) {
      store_relaxed_sys(words + i, ring::word(p, i, position, to.size));
    }
    return true;
  }

  const jgin_rank& rank_;
  uint32_t kernel_;
  uint32_t op_;
  uint64_t epoch_;
};

static_assert(GinBackend<Proxy>);

}  // namespace jgin
