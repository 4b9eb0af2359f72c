// SPDX-License-Identifier: Apache-2.0
// NVLINK: a peer's windows are addresses, puts are stores or bulk copies, signals are releases.
#pragma once

#include "jgin/backend.h"
#include "jgin/fan_in.h"
#include "jgin/session.cuh"

namespace jgin {

/// One rank's view of its NVLINK peers. Holds no state of its own.
class NvLink {
 public:
  /// Nothing orders two stores to a peer, and nothing ties a signal to a lane: contexts are a name
  /// here. But a release at system scope is cumulative: behind flush by each thread, a meeting of the
  /// blocks (last_block) and the release, a reader that acquires the signal sees every put of every
  /// block. One flag is sound.
  static constexpr Axioms AXIOMS = {.puts_ordered = false,
                                    .signal_behind_lane = false,
                                    .signal_cumulative = true,
                                    .puts_complete_later = true};

  JGIN_D explicit NvLink(const jgin_rank& rank) : rank_(rank) {}

  JGIN_D static char* target(const jgin_peer& peer, uint32_t window) {
    switch (window) {
      case JGIN_WINDOW_RECEIVE_ROWS: return pointer<char>(peer.remote_rows);
      case JGIN_WINDOW_RECEIVE_COUNTS: return pointer<char>(peer.remote_counts);
      case JGIN_WINDOW_RECEIVE_RETURNS: return pointer<char>(peer.remote_returns);
      default: return pointer<char>(peer.remote_signals);
    }
  }

  /// By all lanes of a warp: stores of 16 bytes; offsets and bytes are multiples of 16.
  JGIN_D bool put(const DevicePut& p, uint64_t) {
    const char* from = source(p.source_window) + p.src_offset;
    char* to = target(peers()[p.peer], p.target_window) + p.dst_offset;
    for (uint64_t i = threadIdx.x % 32 * 16; i < p.bytes; i += 512) {
      store_wide(to + i, *reinterpret_cast<const uint4*>(from + i));
    }
    return true;
  }

  /// By one thread, from shared memory: a bulk copy that joins its current group.
  JGIN_D static void put_shared(char* to, const void* shared, uint32_t bytes) {
    bulk_store(to, shared, bytes);
  }

  JGIN_D bool put_value(uint32_t, uint32_t peer, uint32_t window, uint64_t offset, uint64_t value,
                        uint64_t) {
    store_relaxed_sys(target(peers()[peer], window) + offset, value);
    return true;
  }

  /// Releases everything that happened before at system scope, and stores.
  JGIN_D bool signal(uint32_t, uint32_t peer, uint64_t cell, uint64_t value) {
    store_release_sys(pointer<uint64_t>(peers()[peer].remote_signals) + cell, value);
    return true;
  }

  /// By every thread that put, before the blocks meet.
  JGIN_D static void flush() {
#if defined(JGIN_MUTANT_BULK_READ_WAIT)
    bulk_wait_read<0>();
#else
    // The whole wait, not `.read`: that one ends when the source may be overwritten, while the rows'
    // last bytes are still on their way, and the signal would overtake them.
    bulk_wait_all();
#endif
#if !defined(JGIN_MUTANT_NO_PROXY_FENCE)
    // Bulk copies are made by the asynchronous proxy; a release orders generic accesses. Without this
    // fence the release may not cover the copies.
    fence_proxies();
#endif
  }

  JGIN_D bool poll(uint64_t cell, uint64_t value) {
    // System scope: the writer is another GPU. The cell is in this GPU's memory, so polling is cheap.
    return reached(load_acquire_sys(pointer<uint64_t>(rank_.signals) + cell), value);
  }

 private:
  JGIN_D const jgin_peer* peers() const { return pointer<const jgin_peer>(rank_.peers); }

  JGIN_D const char* source(uint32_t window) const {
    switch (window) {
      case JGIN_WINDOW_SEND_ROWS: return pointer<const char>(rank_.send_rows);
      case JGIN_WINDOW_SEND_COUNTS: return pointer<const char>(rank_.send_counts);
      default: return pointer<const char>(rank_.send_returns);
    }
  }

  const jgin_rank& rank_;
};

static_assert(GinBackend<NvLink>);

}  // namespace jgin
