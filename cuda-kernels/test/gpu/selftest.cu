// SPDX-License-Identifier: Apache-2.0
// The kernels on one GPU, without Java: several ranks, split phase (B of any rank only after A of all),
// random routing with masked lanes and empty ranks, poisoned outputs, every byte held to a CPU oracle.
//
//   selftest            all modes, then planted faults: each must be found by its check
//   selftest small      a few small cases, for compute-sanitizer
//   selftest mutant     exit status 0 if something was found wrong: built with a -DJGIN_MUTANT_...
//   selftest bench      times; see bench.h
#include "bench.h"
#include "plant.h"
#include "verify.h"

namespace selftest {

struct Case {
  const char* name;
  uint32_t ranks, experts, top_k, hidden, tokens;
  uint32_t dtype, scales, input, combine;
  uint32_t layout, mode, alignment, contexts, audit, masked;
  int blocks;
  bool proxy;
};

inline jgin_shape shape_of(const Case& c) {
  jgin_shape s = {};
  s.ranks = c.ranks;
  s.experts = c.experts;
  s.top_k = c.top_k;
  s.hidden = c.hidden;
  s.max_tokens = c.tokens;
  s.dtype = c.dtype;
  s.scale_format = c.scales;
  s.input_dtype = c.input;
  s.combine_dtype = c.combine;
  s.layout = c.layout;
  s.combine_mode = c.mode;
  s.expert_alignment = c.alignment;
  s.contexts = c.contexts;
  s.audit = c.audit;
  s.stream = 3;
  s.checks = (1u << JGIN_CHECKS) - 1;
  s.timeout_nanos = 2'000'000'000;
  return s;
}

/// Four layers: three routings, the last of them used again from its plan.
inline int run_case(const Case& c) {
  Failures f;
  jgin_shape s = shape_of(c);
  auto proxied = [](uint32_t r, uint32_t p) { return (r + p) % 2 == 1; };
  World w(s, 16, c.proxy ? std::function<bool(uint32_t, uint32_t)>(proxied) : nullptr);
  std::vector<Batch> batches;
  for (int layer = 0; layer < 4; layer++) {
    f.where = std::string(c.name) + ", layer " + std::to_string(layer);
    bool cached = layer == 3;
    if (!cached) batches.clear();
    for (uint32_t r = 0; r < c.ranks; r++) {
      const jgin_shape& mine = w.at(r).rank.shape;
      // Full, empty on some ranks, anything.
      uint32_t tokens = layer == 0 ? c.tokens
                        : layer == 1 && r % 3 == 1 ? 0
                                                   : hash(layer, r, c.tokens) % (c.tokens + 1);
      Batch b = make_batch(mine, cached ? batches[r].tokens : tokens, c.masked, hash(layer, r, 77));
      if (cached) {  // other payloads, the same routing
        b.ids = batches[r].ids;
        b.weights = batches[r].weights;
        batches[r] = b;
      } else {
        batches.push_back(b);
      }
    }
    upload(w, batches);
    poison_outputs(w);
    uint32_t flags = cached ? JGIN_LAUNCH_CACHED : 0;
    if (!cached) w.run(JGIN_KERNEL_PLAN, c.blocks);
    w.run(JGIN_KERNEL_DISPATCH_SEND, c.blocks, flags);
    w.pump(JGIN_OP_DISPATCH);
    w.run(JGIN_KERNEL_DISPATCH_EPILOGUE, c.blocks, flags);
    w.finish();
    for (uint32_t r = 0; r < c.ranks; r++) {
      verify_dispatch(w, r, batches, f);
      run_experts(w, r, batches);
    }
    w.run(JGIN_KERNEL_COMBINE_SEND, c.blocks, flags);
    w.pump(JGIN_OP_COMBINE);
    w.run(JGIN_KERNEL_COMBINE_REDUCE, c.blocks, flags);
    w.finish();
    for (uint32_t r = 0; r < c.ranks; r++) verify_combine(w, r, batches, f);
    verify_quiet(w, f);
    if (f.count > 0) break;
  }
  std::printf("%-28s %s\n", c.name, f.count == 0 ? "ok" : "WRONG");
  return f.count;
}

/// Keeps a stream busy for a while.
__global__ void delay(uint64_t nanos) {
  uint64_t begin, now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
  do {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  } while (now - begin < nanos);
}

/// B of rank 0 is launched before A of rank 1, on another stream and on few enough SMs that both fit: it
/// must wait for rows that are not there yet.
inline int run_late_sender() {
  Failures f;
  f.where = "late sender";
  jgin_shape s = plant_shape();
  s.max_tokens = 2000;
  s.hidden = 2048;
  World w(s);
  cudaStream_t stream[2];
  for (auto& q : stream) CHECK(cudaStreamCreateWithFlags(&q, cudaStreamNonBlocking));
  for (int layer = 0; layer < 6; layer++) {
    std::vector<Batch> batches;
    for (uint32_t r = 0; r < 2; r++) batches.push_back(make_batch(w.at(r).rank.shape, 2000 - r, 0, layer * 2 + r));
    upload(w, batches);
    poison_outputs(w);
    w.run(JGIN_KERNEL_PLAN, 16);
    w.finish();
    for (uint32_t r = 0; r < 2; r++) {
      if (r == 1) delay<<<1, 1, 0, stream[r]>>>(1'000'000);
      launch(JGIN_KERNEL_DISPATCH_SEND, w.at(r), r == 0 ? 16 : 1, stream[r], false);
      launch(JGIN_KERNEL_DISPATCH_EPILOGUE, w.at(r), 16, stream[r], false);
    }
    w.finish();
    verify_quiet(w, f);
    for (uint32_t r = 0; r < 2; r++) verify_dispatch(w, r, batches, f);
    if (f.count > 0) break;
  }
  for (auto& q : stream) CHECK(cudaStreamDestroy(q));
  std::printf("late sender: %s\n", f.count == 0 ? "ok" : "WRONG");
  return f.count;
}

inline const Case CASES[] = {
    // name, R, E, K, H, T, dtype, scales, input, combine, layout, mode, align, C, audit, masked%, blocks
    {"bf16", 4, 16, 4, 256, 200, JGIN_BF16, 0, JGIN_BF16, JGIN_BF16, 0, 0, 1, 1, 0, 0, 7, false},
    {"bf16 one rank", 1, 256, 8, 7168, 70, JGIN_BF16, 0, JGIN_BF16, JGIN_BF16, 0, 0, 1, 1, 0, 0, 20, false},
    {"bf16 masked, aligned, audit", 4, 15, 6, 512, 90, JGIN_BF16, 0, JGIN_BF16, JGIN_BF16, 0, 0, 8, 4, 1, 30, 3, false},
    {"bf16 reduced", 4, 16, 8, 1032, 100, JGIN_BF16, 0, JGIN_BF16, JGIN_BF16, 0, 1, 1, 2, 0, 10, 5, false},
    {"bf16 reduced, audit", 3, 16, 8, 2048, 60, JGIN_BF16, 0, JGIN_BF16, JGIN_BF16, 0, 1, 4, 1, 1, 10, 5, false},
    {"bf16 one row", 4, 16, 8, 256, 100, JGIN_BF16, 0, JGIN_BF16, JGIN_BF16, 1, 1, 1, 1, 0, 10, 5, false},
    {"bf16 one row, audit", 5, 16, 8, 256, 33, JGIN_BF16, 0, JGIN_BF16, JGIN_BF16, 1, 1, 1, 1, 1, 20, 5, false},
    {"fp16 -> fp32", 4, 16, 4, 264, 80, JGIN_FP16, 0, JGIN_FP16, JGIN_FP32, 0, 0, 1, 1, 0, 5, 7, false},
    {"fp32 -> fp16", 2, 16, 4, 264, 80, JGIN_FP32, 0, JGIN_FP32, JGIN_FP16, 0, 0, 2, 1, 0, 5, 7, false},
    {"fp32 reduced", 2, 16, 4, 260, 80, JGIN_FP32, 0, JGIN_FP32, JGIN_FP32, 0, 1, 1, 1, 0, 5, 7, false},
    {"fp8 fp32 scales", 4, 32, 8, 2048, 64, JGIN_FP8_E4M3, 1, JGIN_FP8_E4M3, JGIN_BF16, 0, 0, 4, 1, 0, 5, 9, false},
    {"fp8 odd scales", 4, 32, 8, 208, 64, JGIN_FP8_E4M3, 1, JGIN_FP8_E4M3, JGIN_BF16, 0, 0, 4, 1, 1, 5, 9, false},
    {"fp8 ue8m0", 4, 32, 8, 7168, 20, JGIN_FP8_E4M3, 2, JGIN_FP8_E4M3, JGIN_BF16, 0, 0, 4, 1, 0, 5, 9, false},
    {"fp8 ue8m0 one row", 4, 32, 8, 400, 20, JGIN_FP8_E4M3, 2, JGIN_FP8_E4M3, JGIN_BF16, 1, 1, 1, 1, 0, 5, 9, false},
    {"bf16 to fp8 fp32 scales", 4, 32, 8, 2048, 64, JGIN_FP8_E4M3, 1, JGIN_BF16, JGIN_BF16, 0, 0, 1, 1, 0, 5, 9, false},
    {"bf16 to fp8 ue8m0, audit", 2, 32, 8, 1424, 64, JGIN_FP8_E4M3, 2, JGIN_BF16, JGIN_BF16, 0, 0, 1, 1, 1, 5, 9, false},
    {"fp16 to fp8", 2, 32, 8, 1424, 33, JGIN_FP8_E4M3, 1, JGIN_FP16, JGIN_FP16, 0, 0, 1, 1, 0, 5, 9, false},
    {"fp32 to fp8 ue8m0", 2, 32, 8, 1424, 33, JGIN_FP8_E4M3, 2, JGIN_FP32, JGIN_BF16, 0, 1, 1, 1, 0, 5, 9, false},
    {"fp32 to fp8, no scales", 2, 32, 8, 144, 33, JGIN_FP8_E4M3, 0, JGIN_FP32, JGIN_BF16, 0, 1, 1, 1, 0, 5, 9, false},
    {"more ranks than experts", 8, 5, 3, 64, 40, JGIN_BF16, 0, JGIN_BF16, JGIN_BF16, 0, 0, 1, 1, 0, 5, 2, false},
    {"one token", 4, 16, 4, 256, 1, JGIN_BF16, 0, JGIN_BF16, JGIN_BF16, 0, 0, 1, 3, 0, 0, 132, false},
    {"top-32 of 2048", 2, 2048, 32, 64, 70, JGIN_BF16, 0, JGIN_BF16, JGIN_BF16, 0, 0, 1, 1, 0, 5, 40, false},
    {"top-32 reduced", 3, 2048, 32, 64, 70, JGIN_BF16, 0, JGIN_BF16, JGIN_BF16, 0, 1, 1, 1, 0, 5, 40, false},
    {"wide rows", 2, 8, 2, 24000, 20, JGIN_FP32, 0, JGIN_FP32, JGIN_FP32, 0, 0, 1, 1, 0, 5, 4, false},
    {"many tokens", 2, 64, 8, 64, 3000, JGIN_BF16, 0, JGIN_BF16, JGIN_BF16, 0, 0, 1, 1, 0, 2, 132, false},
    {"proxy", 4, 16, 4, 256, 60, JGIN_BF16, 0, JGIN_BF16, JGIN_BF16, 0, 0, 1, 2, 0, 10, 4, true},
    {"proxy reduced, audit", 3, 16, 8, 512, 40, JGIN_FP8_E4M3, 1, JGIN_BF16, JGIN_BF16, 0, 1, 4, 3, 1, 10, 4, true},
    {"proxy one row", 2, 16, 8, 512, 40, JGIN_FP8_E4M3, 2, JGIN_FP8_E4M3, JGIN_FP16, 1, 1, 1, 1, 0, 10, 4, true},
};

inline int run_all() {
  int wrong = 0, cases = 0;
  for (const Case& c : CASES) {
    wrong += run_case(c) != 0;
    cases++;
  }
  std::printf("layers: %d cases x 4 layers, %d wrong\n", cases, wrong);
  wrong += run_late_sender() != 0;
  int missed = run_plants();
  return wrong + missed;
}

inline int run_small() {
  int wrong = 0;
  for (const Case& c : CASES) {
    if (c.tokens > 100 || c.hidden > 3000 || c.experts > 100) continue;
    Case small = c;
    small.tokens = std::min(c.tokens, 12u);
    wrong += run_case(small) != 0;
  }
  std::printf("small: %d wrong\n", wrong);
  return wrong;
}

/// The mutant must be noticed: by a check, by an error word, or by the oracle.
inline int run_mutant() {
  Case c = CASES[2];
  int found = run_case(c);
  if (found == 0) found = run_late_sender();
  std::printf("mutant: %d findings\n", found);
  return found == 0;
}

}  // namespace selftest

int main(int argc, char** argv) {
  std::string mode = argc > 1 ? argv[1] : "";
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  // A kernel that is loaded at its first launch waits for the kernels that run, and one of them may be
  // waiting for it.
  setenv("CUDA_MODULE_LOADING", "EAGER", 1);
  selftest::prepare_kernels();
  int failed = mode == "bench"    ? selftest::run_bench(argc > 2 ? argv[2] : "")
               : mode == "small"  ? selftest::run_small()
               : mode == "mutant" ? selftest::run_mutant()
                                  : selftest::run_all();
  std::printf("%s\n", failed == 0 ? "PASSED" : "FAILED");
  return failed == 0 ? 0 : 1;
}
