// SPDX-License-Identifier: Apache-2.0
// Times on one GPU, one rank that sends to itself: what a layer costs without a link. Kernels run from a
// CUDA graph; a kernel that waits for an epoch is put back one epoch by a tiny kernel in front of it,
// whose own time is taken off. Buffers rotate over more than the caches hold.
#pragma once

#include "floors.h"

namespace selftest {

/// Puts a rank back in front of its first epoch: the epochs, and the stamps that say which rows it filled.
__global__ void put_back(jgin_state* state, uint32_t* stamps, uint64_t rows) {
  uint64_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) state->dispatch_epoch = state->combine_epoch = 0;
  for (; i < rows; i += gridDim.x * blockDim.x) stamps[i] = 0;
}

/// A plain copy: 16-byte loads, four in flight a thread.
__global__ void __launch_bounds__(512) copy_wide(const uint4* from, uint4* to, uint64_t n) {
  uint64_t step = static_cast<uint64_t>(gridDim.x) * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
  for (; i + 3 * step < n; i += 4 * step) {
    uint4 a = __ldcs(from + i), b = __ldcs(from + i + step), c = __ldcs(from + i + 2 * step),
          d = __ldcs(from + i + 3 * step);
    __stcs(to + i, a), __stcs(to + i + step, b), __stcs(to + i + 2 * step, c), __stcs(to + i + 3 * step, d);
  }
  for (; i < n; i += step) to[i] = from[i];
}

struct BenchShape {
  const char* name;
  uint32_t dtype, scales, input, layout, mode;
};

inline jgin_shape bench_shape(const BenchShape& b, uint32_t tokens) {
  jgin_shape s = {};
  s.ranks = 1;
  s.experts = 256;
  s.top_k = 8;
  s.hidden = 7168;
  s.max_tokens = tokens;
  s.dtype = b.dtype;
  s.scale_format = b.scales;
  s.input_dtype = b.input;
  s.combine_dtype = JGIN_BF16;
  s.layout = b.layout;
  s.combine_mode = b.mode;
  s.expert_alignment = 1;
  s.contexts = 1;
  s.checks = (1u << JGIN_CHECKS) - 1;
  s.timeout_nanos = 2'000'000'000;
  return s;
}

inline std::unique_ptr<World> bench_world(const BenchShape& b, uint32_t tokens, int blocks) {
  auto w = std::make_unique<World>(bench_shape(b, tokens));
  const jgin_shape& s = w->at(0).rank.shape;
  std::vector<int32_t> ids;
  std::vector<float> weights(tokens * 8, 0.125f);
  uint64_t x = 12345;
  for (uint32_t t = 0; t < tokens; t++) {
    std::vector<int32_t> mine;
    while (mine.size() < 8) {
      x = x * 6364136223846793005ull + 1442695040888963407ull;
      int32_t id = static_cast<int32_t>(x >> 33) & 255;
      if (std::find(mine.begin(), mine.end(), id) == mine.end()) mine.push_back(id);
    }
    ids.insert(ids.end(), mine.begin(), mine.end());
  }
  put<uint32_t>(w->at(0).plan.input_tokens, {tokens});
  put(w->at(0).plan.input_ids, ids);
  put(w->at(0).plan.input_weights, weights);
  CHECK(cudaMemset(reinterpret_cast<void*>(w->at(0).rank.payload), 0x3A, tokens * s.input_bytes));
  CHECK(cudaMemset(reinterpret_cast<void*>(w->at(0).rank.scales), 0x3A, tokens * s.scale_bytes));
  CHECK(cudaMemset(reinterpret_cast<void*>(w->at(0).rank.expert_output), 0x3A,
                   s.expert_rows * s.combine_bytes));
  for (int kernel = 0; kernel < JGIN_KERNELS; kernel++) w->run(kernel, blocks);
  w->finish();
  // The first epoch's rows stand; B and D run on them again and again.
  return w;
}

inline void rewind(World& w, cudaStream_t stream) {
  const jgin_rank& r = w.at(0).rank;
  put_back<<<64, 256, 0, stream>>>(reinterpret_cast<jgin_state*>(r.state),
                                   reinterpret_cast<uint32_t*>(r.row_stamp), r.shape.expert_rows);
}

inline const BenchShape BENCH[] = {
    {"bf16, expanded, canonical", JGIN_BF16, 0, JGIN_BF16, JGIN_EXPANDED, JGIN_CANONICAL},
    {"bf16, one row, reduced", JGIN_BF16, 0, JGIN_BF16, JGIN_ONE_ROW_PER_TOKEN, JGIN_REDUCED},
    {"fp8, expanded, reduced", JGIN_FP8_E4M3, JGIN_SCALE_FP32, JGIN_FP8_E4M3, JGIN_EXPANDED, JGIN_REDUCED},
    {"fp8, one row, reduced", JGIN_FP8_E4M3, JGIN_SCALE_FP32, JGIN_FP8_E4M3, JGIN_ONE_ROW_PER_TOKEN, JGIN_REDUCED},
    {"bf16 cast to fp8, one row", JGIN_FP8_E4M3, JGIN_SCALE_FP32, JGIN_BF16, JGIN_ONE_ROW_PER_TOKEN, JGIN_REDUCED},
};

/// The epilogue beside a plain copy of as many bytes, read and write together.
inline void bench_epilogue(int blocks) {
  std::printf("epilogue | tokens | MB read + written | us [quartiles] | GB/s | plain copy GB/s: kernel, engine | ratio to the better\n");
  for (const BenchShape& b : BENCH) {
    if (b.input != b.dtype) continue;
    for (uint32_t tokens : {4096u, 8192u}) {
      jgin_shape s = bench_shape(b, tokens);
      jgin::complete(s);
      uint64_t row = s.payload_bytes + s.scale_bytes;
      uint64_t moved = tokens * (s.row_bytes + row * (s.layout == JGIN_EXPANDED ? 8 : 1));
      int sets = static_cast<int>(std::max<uint64_t>(2, 400'000'000 / moved + 1));
      std::vector<std::unique_ptr<World>> worlds;
      for (int i = 0; i < sets; i++) worlds.push_back(bench_world(b, tokens, blocks));
      int count = 2 * sets;
      Times alone = time_graph(count, [&](cudaStream_t q, int i) { rewind(*worlds[i % sets], q); });
      Times with = time_graph(count, [&](cudaStream_t q, int i) {
        rewind(*worlds[i % sets], q);
        launch(JGIN_KERNEL_DISPATCH_EPILOGUE, worlds[i % sets]->at(0), blocks, q, false);
      });
      Memory memory;
      uint64_t half = moved / 2 / 16 * 16;
      std::vector<uint64_t> from, to;
      for (int i = 0; i < sets; i++) from.push_back(memory.device(half)), to.push_back(memory.device(half));
      double best = 1e9;
      for (int grid : {132, 264, 528, 1056}) {
        Times copy = time_graph(count, [&](cudaStream_t q, int i) {
          rewind(*worlds[0], q);
          copy_wide<<<grid, 512, 0, q>>>(reinterpret_cast<uint4*>(from[i % sets]),
                                         reinterpret_cast<uint4*>(to[i % sets]), half / 16);
        });
        best = std::min(best, copy.median);
      }
      Times engine = time_graph(count, [&](cudaStream_t q, int i) {
        rewind(*worlds[0], q);
        CHECK(cudaMemcpyAsync(reinterpret_cast<void*>(to[i % sets]), reinterpret_cast<void*>(from[i % sets]),
                              half, cudaMemcpyDeviceToDevice, q));
      });
      double base = alone.median, us = with.median - base;
      auto rate = [&](double t) { return moved / 1e3 / t; };
      double kernel = rate(best - base), copier = rate(engine.median - base);
      std::printf("%s | %u | %.1f | %.1f [%.1f, %.1f] | %.0f | %.0f, %.0f | %.3f\n", b.name, tokens, moved / 1e6,
                  us, with.low - base, with.high - base, rate(us), kernel, copier,
                  rate(us) / std::max(kernel, copier));
      for (auto& w : worlds) if (w->error(0) != 0 || w->violations(0) != 0) std::printf("!! found something wrong\n");
    }
  }
}

/// Each kernel, and whole layers, one rank.
inline void bench_layers(int blocks) {
  std::printf("layer | tokens | P | A | B | C | D | P..D in a graph | dependent launches | cached, dependent (us, medians)\n");
  for (const BenchShape& b : BENCH) {
    for (uint32_t tokens : {1u, 8u, 128u, 1024u, 4096u}) {
      std::vector<std::unique_ptr<World>> worlds;
      int sets = tokens >= 1024 ? 2 : 4;
      for (int i = 0; i < sets; i++) worlds.push_back(bench_world(b, tokens, blocks));
      int count = (tokens <= 128 ? 8 : 2) * sets;
      double t[5];
      double base = time_graph(count, [&](cudaStream_t q, int i) { rewind(*worlds[i % sets], q); }).median;
      for (int kernel = 0; kernel < 5; kernel++) {
        t[kernel] = time_graph(count, [&](cudaStream_t q, int i) {
          rewind(*worlds[i % sets], q);
          launch(kernel, worlds[i % sets]->at(0), blocks, q, false);
        }).median - base;
      }
      for (auto& w : worlds) rewind(*w, nullptr), w->finish();
      auto layer = [&](bool dependent, bool cached) {
        return time_graph(count, [&](cudaStream_t q, int i) {
          jgin_launch& l = worlds[i % sets]->at(0);
          l.flags = cached ? JGIN_LAUNCH_CACHED : 0;
          for (int kernel = cached ? 1 : 0; kernel < 5; kernel++) launch(kernel, l, blocks, q, dependent);
        }).median;
      };
      double plain = layer(false, false), dependent = layer(true, false), cached = layer(true, true);
      std::printf("%s | %u | %.1f | %.1f | %.1f | %.1f | %.1f | %.1f | %.1f | %.1f\n", b.name, tokens, t[0], t[1],
                  t[2], t[3], t[4], plain, dependent, cached);
      for (auto& w : worlds) if (w->error(0) != 0 || w->violations(0) != 0) std::printf("!! found something wrong\n");
    }
  }
}

inline int run_bench(const std::string& what) {
  cudaDeviceProp p;
  CHECK(cudaGetDeviceProperties(&p, 0));
  int driver;
  CHECK(cudaDriverGetVersion(&driver));
  std::printf("%s, %d SMs, driver API %d\n", p.name, p.multiProcessorCount, driver);
  if (what != "layers") bench_epilogue(p.multiProcessorCount);
  if (what == "floors") bench_floors(p.multiProcessorCount), bench_row_orders();
  if (what != "epilogue" && what != "floors") bench_layers(p.multiProcessorCount);
  return 0;
}

}  // namespace selftest
