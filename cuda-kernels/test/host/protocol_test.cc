// SPDX-License-Identifier: Apache-2.0
// The fan-in barrier's steps under random schedules, and the ring's producer against a consumer.
#include "expect.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <numeric>
#include <thread>

#include "jgin/fan_in.h"
#include "jgin/ring.h"

namespace {

using namespace jgin;

/// Members whose cells are plain memory; a lane may refuse a signal, or lose those of one context.
struct Model {
  FanIn shape;
  std::vector<std::vector<uint64_t>> cells;  // [member][2 * signals]
  hosttest::Random* random;
  int lost_context = -1;

  struct Port {
    Model& m;
    uint32_t self;
    uint64_t epoch;
    bool try_signal(uint32_t context, uint32_t member, uint64_t cell, uint64_t value) {
      if (m.random->below(4) == 0) return false;  // no credit
      if (static_cast<int>(context) != m.lost_context) {
        m.cells[member][(epoch & 1) * m.shape.signals() + cell] = value;
      }
      return true;
    }
    bool expects(uint32_t) { return true; }
    uint64_t load(uint64_t cell) { return m.cells[self][(epoch & 1) * m.shape.signals() + cell]; }
  };
};

/// Runs `epochs` epochs of all members, one random step at a time. Returns the epochs that all passed.
uint64_t run(uint32_t members, uint32_t contexts, uint32_t slices, uint64_t epochs, uint64_t first,
             int lost_context, uint64_t seed) {
  hosttest::Random random{seed};
  Model m{{members, 0, contexts}, {}, &random, lost_context};
  m.cells.assign(members, std::vector<uint64_t>(2 * m.shape.signals(), first));
  struct Member {
    uint64_t epoch;
    std::vector<FanInState> arriving, polling;
  };
  std::vector<Member> all(members);
  std::vector<uint64_t> arrived(members, first);  // the epoch that a member has begun to arrive at
  auto begin = [&](uint32_t i) {
    FanIn barrier{members, i, contexts};
    all[i].arriving.clear();
    all[i].polling.clear();
    for (uint32_t s = 0; s < slices; s++) {
      all[i].arriving.push_back(barrier.begin(all[i].epoch, s));
      all[i].polling.push_back(barrier.begin(all[i].epoch, s));
    }
  };
  for (uint32_t i = 0; i < members; i++) all[i].epoch = first + 1, begin(i);
  for (uint64_t step = 0; step < 4000 * epochs; step++) {
    uint32_t i = random.below(members);
    if (reached(all[i].epoch, first + epochs + 1)) continue;
    FanIn barrier{members, i, contexts};
    Model::Port port{m, i, all[i].epoch};
    arrived[i] = all[i].epoch;
    bool done = true;
    for (auto& s : all[i].arriving) done = barrier.arrive(s, slices, port) && done;
    if (!done) continue;
    for (auto& s : all[i].polling) done = barrier.poll(s, slices, port) && done;
    if (!done) continue;
    for (uint32_t p = 0; p < members; p++) {
      EXPECT(reached(arrived[p], all[i].epoch));               // nobody passes before all have come
      EXPECT(reached(all[i].epoch + 1, arrived[p]));           // and nobody is two epochs ahead
    }
    all[i].epoch++;
    begin(i);
  }
  uint64_t least = epochs;
  for (const Member& member : all) least = std::min(least, member.epoch - first - 1);
  return least;
}

TEST(shouldPassTogetherUnderAnySchedule) {
  for (uint64_t seed = 1; seed <= 20; seed++) {
    uint32_t members = 1 + static_cast<uint32_t>(seed % 5), contexts = 1 + static_cast<uint32_t>(seed % 3);
    uint32_t slices = seed % 4 == 0 ? 7 : 1;
    EXPECT(run(members, contexts, slices, 12, 0, -1, seed) == 12);
  }
}

TEST(shouldPassWhereEpochsWrap) { EXPECT(run(3, 2, 1, 6, ~0ull - 3, -1, 5) == 6); }

/// Positive control: signals of one context never arrive.
TEST(shouldWaitForEveryContext) { EXPECT(run(3, 2, 1, 2, 0, 1, 9) == 0); }

ring::Put sample(uint64_t i) {
  return {JGIN_PROXY_PUT, 1, 2, static_cast<uint32_t>(i % 7), static_cast<uint32_t>(i % 1024),
          i * 128, i * 384, 512, i, i & 1, i / 3};
}

bool same(const ring::Put& a, const ring::Put& b) {
  return a.operation == b.operation && a.source_window == b.source_window &&
         a.target_window == b.target_window && a.context == b.context && a.peer == b.peer &&
         a.src_offset == b.src_offset && a.dst_offset == b.dst_offset && a.bytes == b.bytes &&
         a.value == b.value && a.high == b.high && a.epoch == b.epoch;
}

TEST(shouldTakeADescriptorWhenItsLastWordIsThere) {
  hosttest::Random random{3};
  const uint64_t size = 4;
  uint64_t words[size][8] = {};
  for (uint64_t position = 0; position < 40; position++) {
    ring::Put put = sample(position), seen = {};
    int order[8];
    std::iota(order, order + 8, 0);
    for (int i = 7; i > 0; i--) std::swap(order[i], order[random.below(static_cast<uint32_t>(i + 1))]);
    auto* slot = words[position & (size - 1)];
    for (int i : order) {
      EXPECT(!ring::take(seen, position, size, [&](int w) { return slot[w]; }));
      slot[i] = ring::word(put, i, position, size);
    }
    EXPECT(ring::take(seen, position, size, [&](int w) { return slot[w]; }));
    EXPECT(same(seen, put));
    // Not again, and not as that of the next lap.
    EXPECT(!ring::take(seen, position + size, size, [&](int w) { return slot[w]; }));
  }
}

TEST(shouldKnowWhenThereIsRoom) {
  EXPECT(ring::has_room(0, 0, 2) && ring::has_room(1, 0, 2) && !ring::has_room(2, 0, 2));
  EXPECT(ring::has_room(2, 1, 2));
}

TEST(shouldCarryEverythingFromManyProducersToOneConsumer) {
  const uint64_t size = 8, each = 20000;
  const int producers = 3;
  auto words = std::make_unique<std::atomic<uint64_t>[]>(size * 8);
  std::atomic<uint64_t> produced{0}, consumed{0};
  std::vector<std::thread> threads;
  for (int p = 0; p < producers; p++) {
    threads.emplace_back([&, p] {
      for (uint64_t i = 0; i < each; i++) {
        uint64_t position = produced.fetch_add(1);
        while (!ring::has_room(position, consumed.load(), size)) std::this_thread::yield();
        ring::Put put = sample(i * producers + static_cast<uint64_t>(p));
        for (int w = 0; w < 8; w++) {
          // Relaxed, and in another order each time: nothing depends on it.
          int word = (w * 3 + static_cast<int>(i)) & 7;
          words[(position & (size - 1)) * 8 + static_cast<uint64_t>(word)].store(
              ring::word(put, word, position, size), std::memory_order_relaxed);
        }
      }
    });
  }
  std::vector<uint64_t> next(producers, 0);
  for (uint64_t position = 0; position < each * producers; position++) {
    ring::Put put = {};
    while (!ring::take(put, position, size, [&](int w) {
      return words[(position & (size - 1)) * 8 + static_cast<uint64_t>(w)].load(std::memory_order_acquire);
    })) {
      std::this_thread::yield();
    }
    consumed.store(position + 1);
    uint64_t producer = put.value % producers, index = put.value / producers;
    EXPECT(same(put, sample(put.value)));
    EXPECT(index == next[producer]);  // each producer's in its own order
    next[producer] = index + 1;
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
