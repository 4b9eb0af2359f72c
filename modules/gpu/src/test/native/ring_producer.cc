// SPDX-License-Identifier: Apache-2.0
// A producer of the proxy's ring on the host, out of the header that kernels compile, for CProducerTest.
#include "jgin/ring.h"

extern "C" {

// Pushes `put` at `position`, its words in the order that `order` gives; 0 if the ring has no room.
int32_t jgin_test_push(uint64_t* descriptors, uint64_t size, const uint64_t* consumed,
                       uint64_t position, const jgin::ring::Put* put, const int32_t* order) {
  if (!jgin::ring::has_room(position, __atomic_load_n(consumed, __ATOMIC_ACQUIRE), size)) return 0;
  __atomic_thread_fence(__ATOMIC_RELEASE);
  uint64_t* words = descriptors + (position & (size - 1)) * JGIN_DESCRIPTOR_WORDS;
  for (int i = 0; i < JGIN_DESCRIPTOR_WORDS; i++) {
    uint64_t word = jgin::ring::word(*put, order[i], position, size);
    __atomic_store_n(words + order[i], word, __ATOMIC_RELAXED);
  }
  return 1;
}

// Reads the descriptor at `position` with the header's own consumer; 0 if it is not there.
int32_t jgin_test_take(const uint64_t* descriptors, uint64_t size, uint64_t position,
                       jgin::ring::Put* put) {
  const uint64_t* words = descriptors + (position & (size - 1)) * JGIN_DESCRIPTOR_WORDS;
  return jgin::ring::take(*put, position, size,
                          [&](int i) { return __atomic_load_n(words + i, __ATOMIC_RELAXED); });
}

// The layout of Put as the test writes it.
static_assert(offsetof(jgin::ring::Put, peer) == 16);
static_assert(offsetof(jgin::ring::Put, src_offset) == 24);
static_assert(offsetof(jgin::ring::Put, epoch) == 64);
static_assert(sizeof(jgin::ring::Put) == 72);
}
