// SPDX-License-Identifier: Apache-2.0
// The loop of the host's proxy in C++, over the same rings: takes descriptors out of the header that
// kernels compile, checks what the proxy checks, counts them as posted, gives slots back in batches.
#include "jgin/ring.h"

namespace {

struct Ring {
  const uint64_t* descriptors;
  uint64_t size;
  uint64_t* consumed;
  uint64_t context;
};

constexpr int BATCH = 64;
constexpr uint64_t LANE_DEPTH = 1024;

// A carrier that carries nothing: a lane's counters, and no inlining, as a carrier behind an interface.
struct Lane {
  uint64_t posted = 0;
  uint64_t completed = 0;
};

__attribute__((noinline)) bool post(Lane& lane, const jgin::ring::Put& put) {
  if (lane.posted - lane.completed >= LANE_DEPTH) return false;
  asm volatile("" : : "r"(&put) : "memory");
  lane.posted++;
  return true;
}

bool right(const jgin::ring::Put& p, const Ring& ring, uint64_t window, uint64_t epoch) {
  return p.operation == JGIN_PROXY_PUT && p.context == ring.context && p.peer == 0 &&
         p.source_window == JGIN_WINDOW_SEND_ROWS && p.target_window == JGIN_WINDOW_RECEIVE_ROWS &&
         p.epoch == epoch && p.bytes <= window && p.src_offset <= window - p.bytes &&
         p.dst_offset <= window - p.bytes;
}

}  // namespace

extern "C" uint64_t jgin_bench_drain(const Ring* rings, uint64_t count, uint64_t window) {
  constexpr uint64_t MOST = 64;
  uint64_t next[MOST] = {};
  Lane lanes[MOST];
  uint64_t wanted = 0;
  for (uint64_t r = 0; r < count && r < MOST; r++) wanted += rings[r].size;
  uint64_t taken = 0;
  while (taken < wanted) {
    for (uint64_t r = 0; r < count && r < MOST; r++) {
      const Ring& ring = rings[r];
      int n = 0;
      for (; n < BATCH && next[r] < ring.size; n++) {
        const uint64_t* words =
            ring.descriptors + (next[r] & (ring.size - 1)) * JGIN_DESCRIPTOR_WORDS;
        jgin::ring::Put put;
        if (!jgin::ring::take(put, next[r], ring.size, [&](int i) {
              return __atomic_load_n(words + i, __ATOMIC_RELAXED);
            })) {
          break;
        }
        __atomic_thread_fence(__ATOMIC_ACQUIRE);
        if (!right(put, ring, window, 1)) return taken;
        if (!post(lanes[r], put)) break;
        next[r]++;
      }
      if (n > 0) {
        taken += n;
        lanes[r].completed = lanes[r].posted;
        __atomic_store_n(ring.consumed, next[r], __ATOMIC_RELEASE);
      }
    }
  }
  return taken;
}
