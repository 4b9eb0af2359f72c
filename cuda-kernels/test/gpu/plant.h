// SPDX-License-Identifier: Apache-2.0
// Positive controls: between the sending kernel and the waiting one, the host plants a fault in what
// rank 0 received from rank 1; the check that stands against it must find it, and no row of the output
// may be left unwritten.
#pragma once

#include "verify.h"

namespace selftest {

struct Scene {
  World& w;
  const jgin_shape& s;
  uint64_t epoch;

  uint64_t row(uint32_t slot) { return w.windows_[0].rows + jgin::received_at(s, epoch, 1, slot); }
  uint64_t block() { return w.windows_[0].counts + jgin::count_at(s, epoch, 1); }
  uint64_t returned(uint32_t token, uint32_t place) {
    return w.windows_[0].returns + jgin::returned_at(s, epoch, token, place);
  }
  template <typename T>
  T get(uint64_t at) { return fetch<T>(at, 1)[0]; }
  template <typename T>
  void set(uint64_t at, T value) { put<T>(at, {value}); }
  uint64_t id_at(uint32_t slot, uint32_t k) { return row(slot) + jgin::ids_at() + 4 * k; }
  uint64_t place_at(uint32_t slot, uint32_t k) { return row(slot) + jgin::places_at(s) + 4 * k; }
  /// A lane of slot `slot` that is of rank 0.
  uint32_t lane_here(uint32_t slot) {
    uint32_t k = 0;
    while (get<uint32_t>(id_at(slot, k)) >= s.local_experts) k++;
    return k;
  }
};

struct Plant {
  const char* name;
  uint32_t check;
  bool combine;
  void (*plant)(Scene&);
};

inline const Plant PLANTS[] = {
    {"row of an older epoch", JGIN_CHECK_EPOCH_TAG, false,
     [](Scene& x) { x.set<uint64_t>(x.row(2), x.epoch - 2); }},
    {"row of another rank", JGIN_CHECK_SOURCE, false, [](Scene& x) { x.set<uint32_t>(x.row(2) + 8, 0); }},
    {"row of another stream", JGIN_CHECK_SOURCE, false,
     [](Scene& x) { x.set<uint32_t>(x.row(2) + 24, 9); }},
    {"token past the last", JGIN_CHECK_SOURCE, false,
     [](Scene& x) { x.set<uint32_t>(x.row(2) + 12, x.s.max_tokens); }},
    {"token twice", JGIN_CHECK_TOKEN_ORDER, false,
     [](Scene& x) { x.set<uint32_t>(x.row(3) + 12, x.get<uint32_t>(x.row(2) + 12)); }},
    {"expert out of range", JGIN_CHECK_EXPERT_IDS, false,
     [](Scene& x) { x.set<uint32_t>(x.id_at(1, 0), x.s.experts); }},
    {"place past the bound", JGIN_CHECK_CURSOR_BOUND, false,
     [](Scene& x) { x.set<uint32_t>(x.place_at(1, x.lane_here(1)), 100000); }},
    {"place of another row", JGIN_CHECK_CURSOR_BOUND, false,
     [](Scene& x) {
       for (uint32_t slot = 0;; slot++) {
         uint32_t k = x.lane_here(slot);
         uint32_t place = x.get<uint32_t>(x.place_at(slot, k));
         if (place > 0) return x.set<uint32_t>(x.place_at(slot, k), place - 1);
       }
     }},
    {"lane masked on the way", JGIN_CHECK_COUNTS_EQUAL, false,
     [](Scene& x) { x.set<int32_t>(x.id_at(1, x.lane_here(1)), JGIN_NONE); }},
    {"count changed", JGIN_CHECK_COUNT_BLOCK, false,
     [](Scene& x) { x.set<uint32_t>(x.block() + 32, x.get<uint32_t>(x.block() + 32) + 1); }},
    {"counts exchanged", JGIN_CHECK_COUNT_BLOCK, false,
     [](Scene& x) {
       uint32_t a = x.get<uint32_t>(x.block() + 32), i = 1;
       while (x.get<uint32_t>(x.block() + 32 + 4 * i) == a) i++;
       x.set<uint32_t>(x.block() + 32, x.get<uint32_t>(x.block() + 32 + 4 * i));
       x.set<uint32_t>(x.block() + 32 + 4 * i, a);
     }},
    {"count block of an older epoch", JGIN_CHECK_COUNT_BLOCK, false,
     [](Scene& x) { x.set<uint64_t>(x.block(), x.epoch - 2); }},
    {"count block of another rank", JGIN_CHECK_COUNT_BLOCK, false,
     [](Scene& x) { x.set<uint32_t>(x.block() + 20, 0); }},
    {"count block without counts", JGIN_CHECK_COUNT_BLOCK, false,
     [](Scene& x) { x.set<uint32_t>(x.block() + 28, 1); }},
    {"more rows than tokens", JGIN_CHECK_COUNT_BLOCK, false,
     [](Scene& x) { x.set<uint32_t>(x.block() + 16, x.s.max_tokens + 1); }},
    {"torn payload", JGIN_CHECK_CHECKSUM, false,
     [](Scene& x) { x.set<uint8_t>(x.row(4) + x.s.row_bytes - 1, 0x77); }},
    {"torn weight", JGIN_CHECK_CHECKSUM, false,
     [](Scene& x) { x.set<float>(x.row(4) + jgin::weights_at(x.s), 1234.5f); }},
    {"returned row of an older epoch", JGIN_CHECK_EPOCH_TAG, true,
     [](Scene& x) { x.set<uint64_t>(x.returned(3, 0), x.epoch - 2); }},
    {"returned row of another token", JGIN_CHECK_SOURCE, true,
     [](Scene& x) { x.set<uint32_t>(x.returned(3, 0) + 12, 4); }},
    {"returned row of another lane", JGIN_CHECK_SOURCE, true,
     [](Scene& x) { x.set<uint32_t>(x.returned(3, 0) + 24, 1); }},
    {"torn returned row", JGIN_CHECK_CHECKSUM, true,
     [](Scene& x) { x.set<uint8_t>(x.returned(3, 0) + x.s.return_bytes - 1, 0x77); }},
};

inline jgin_shape plant_shape() {
  jgin_shape s = {};
  s.ranks = 2;
  s.experts = 8;
  s.top_k = 4;
  s.hidden = 64;
  s.max_tokens = 30;
  s.dtype = s.input_dtype = s.combine_dtype = JGIN_BF16;
  s.expert_alignment = 4;
  s.contexts = 2;
  s.checks = (1u << JGIN_CHECKS) - 1;
  s.timeout_nanos = 1'000'000'000;
  return s;
}

inline std::vector<Batch> plant_batches(World& w) {
  std::vector<Batch> batches;
  for (uint32_t r = 0; r < w.ranks(); r++) {
    batches.push_back(make_batch(w.at(r).rank.shape, 30, 0, 100 + r));
  }
  return batches;
}

inline void run_to(World& w, const std::vector<Batch>& batches, int layers) {
  for (int i = 0; i < layers; i++) {
    w.run(JGIN_KERNEL_PLAN, 2);
    w.run(JGIN_KERNEL_DISPATCH_SEND, 4);
    w.run(JGIN_KERNEL_DISPATCH_EPILOGUE, 4);
    w.finish();
    for (uint32_t r = 0; r < w.ranks(); r++) run_experts(w, r, batches);
    w.run(JGIN_KERNEL_COMBINE_SEND, 4);
    w.run(JGIN_KERNEL_COMBINE_REDUCE, 4);
    w.finish();
  }
}

inline bool run_plant(const Plant& p) {
  Failures f;
  f.where = p.name;
  jgin_shape shape = plant_shape();
  // Checksums would find most of them first.
  shape.audit = p.check == JGIN_CHECK_CHECKSUM;
  World w(shape);
  std::vector<Batch> batches = plant_batches(w);
  upload(w, batches);
  run_to(w, batches, 2);
  verify_quiet(w, f);
  poison_outputs(w);
  w.run(JGIN_KERNEL_PLAN, 2);
  w.run(JGIN_KERNEL_DISPATCH_SEND, 4);
  w.finish();
  Scene scene{w, w.at(0).rank.shape, 3};
  if (!p.combine) p.plant(scene);
  w.run(JGIN_KERNEL_DISPATCH_EPILOGUE, 4);
  w.finish();
  for (uint32_t r = 0; r < w.ranks(); r++) run_experts(w, r, batches);
  w.run(JGIN_KERNEL_COMBINE_SEND, 4);
  w.finish();
  if (p.combine) p.plant(scene);
  w.run(JGIN_KERNEL_COMBINE_REDUCE, 4);
  w.finish();
  auto found = fetch<jgin_violations>(w.at(0).rank.violations, 1)[0];
  f.expect(found.by_check[p.check] > 0, "check %u did not find it (found %lu in all)", p.check, found.found);
  f.expect(w.error(0) == 0, "error word %lx", w.error(0));
  const jgin_shape& s = scene.s;
  auto rows = fetch<uint8_t>(w.at(0).rank.expert_payload, s.expert_rows * s.payload_bytes);
  auto total = fetch<uint32_t>(w.at(0).plan.expert_start, s.local_experts + 1)[s.local_experts];
  std::vector<uint8_t> poison(s.payload_bytes, POISON);
  for (uint32_t row = 0; row < total; row++) {
    f.expect(!same(rows, row * s.payload_bytes, poison, 0, s.payload_bytes), "row %u was left unwritten", row);
  }
  // Rank 1 was sent nothing wrong by dispatch; what rank 0 left out does not return to it, though.
  for (const auto& v : w.violation_records(1)) {
    f.expect(v.kernel == JGIN_KERNEL_COMBINE_REDUCE, "rank 1 found check %u too", v.check);
  }
  return f.count == 0;
}

inline bool expect_error(const char* name, jgin_shape s, uint32_t code, void (*run)(World&)) {
  Failures f;
  f.where = name;
  World w(s);
  upload(w, plant_batches(w));
  run(w);
  w.finish();
  f.expect((w.error(0) & 0xFF) == code, "error word %lx, expected code %u", w.error(0), code);
  auto report = reinterpret_cast<const jgin_report*>(w.at(0).rank.report);
  f.expect(code == JGIN_ERROR_ROUTING || report->error == w.error(0), "the report says %lx", report->error);
  return f.count == 0;
}

inline int run_plants() {
  int missed = 0, plants = 0;
  for (const Plant& p : PLANTS) {
    missed += !run_plant(p);
    plants++;
  }
  jgin_shape s = plant_shape();
  s.timeout_nanos = 20'000'000;
  missed += !expect_error("a rank that never sends", s, JGIN_ERROR_DEADLINE, [](World& w) {
    w.run(JGIN_KERNEL_PLAN, 2);
    launch(JGIN_KERNEL_DISPATCH_SEND, w.at(0), 4, nullptr, false);
    launch(JGIN_KERNEL_DISPATCH_EPILOGUE, w.at(0), 4, nullptr, false);
    w.finish();
    uint64_t peer = w.error(0) >> JGIN_ERROR_PEER_SHIFT & 0xFFFF;
    if (peer != 1) std::printf("the error names rank %lu\n", peer);
  });
  s.timeout_nanos = 60'000'000'000;
  missed += !expect_error("abort", s, JGIN_ERROR_ABORTED, [](World& w) {
    w.run(JGIN_KERNEL_PLAN, 2);
    launch(JGIN_KERNEL_DISPATCH_EPILOGUE, w.at(0), 4, nullptr, false);
    __atomic_store_n(reinterpret_cast<uint64_t*>(w.at(0).rank.abort_word), 1, __ATOMIC_RELEASE);
  });
  s.expert_rows = 20;
  missed += !expect_error("too little room", s, JGIN_ERROR_CAPACITY, [](World& w) {
    w.run(JGIN_KERNEL_PLAN, 2);
    w.run(JGIN_KERNEL_DISPATCH_SEND, 4);
    w.run(JGIN_KERNEL_DISPATCH_EPILOGUE, 4);
  });
  s.expert_rows = 0;
  missed += !expect_error("an expert that is not there", s, JGIN_ERROR_ROUTING, [](World& w) {
    put<int32_t>(w.at(0).plan.input_ids + 40, {8});
    w.run(JGIN_KERNEL_PLAN, 2);
  });
  missed += !expect_error("an expert twice", s, JGIN_ERROR_ROUTING, [](World& w) {
    put<int32_t>(w.at(0).plan.input_ids + 48, {2, 5, 2, 1});
    w.run(JGIN_KERNEL_PLAN, 2);
  });
  std::printf("planted faults: %d, and 5 errors; %d missed\n", plants, missed);
  return missed;
}

}  // namespace selftest
