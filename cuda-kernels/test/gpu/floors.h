// SPDX-License-Identifier: Apache-2.0
// What the memory of this GPU does by itself, to hold the kernels against.
#pragma once

#include <algorithm>
#include <string>

#include "jgin/memory.cuh"
#include "world.h"

namespace selftest {

struct Times {
  double median, low, high;
};

/// Microseconds of one of `count` repetitions inside a graph; median and quartiles of 15 replays.
inline Times time_graph(int count, const std::function<void(cudaStream_t, int)>& once) {
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  for (int i = 0; i < count; i++) once(stream, i);
  cudaGraph_t graph;
  CHECK(cudaStreamEndCapture(stream, &graph));
  cudaGraphExec_t exec;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  cudaEvent_t begin, end;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  std::vector<double> times;
  for (int i = 0; i < 18; i++) {
    CHECK(cudaEventRecord(begin, stream));
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaEventRecord(end, stream));
    CHECK(cudaStreamSynchronize(stream));
    float ms;
    CHECK(cudaEventElapsedTime(&ms, begin, end));
    if (i >= 3) times.push_back(ms * 1000.0 / count);
  }
  std::sort(times.begin(), times.end());
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaStreamDestroy(stream));
  return {times[7], times[3], times[11]};
}

__global__ void __launch_bounds__(512) fill_wide(uint4* to, uint64_t n) {
  uint64_t step = static_cast<uint64_t>(gridDim.x) * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
  for (; i < n; i += step) __stcs(to + i, make_uint4(1, 2, 3, 4));
}

/// Reads n and writes it eight times, each time to a place of its own.
__global__ void __launch_bounds__(512) spread_wide(const uint4* from, uint4* to, uint64_t n) {
  uint64_t step = static_cast<uint64_t>(gridDim.x) * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
  for (; i < n; i += step) {
    uint4 a = __ldcs(from + i);
#pragma unroll
    for (int k = 0; k < 8; k++) __stcs(to + k * n + i, a);
  }
}

/// Stores whole rows by bulk copies from shared memory, in the order that `order` says; nothing is read.
__global__ void __launch_bounds__(256) store_rows(char* to, const uint32_t* order, uint32_t rows,
                                                  uint32_t bytes, int lanes) {
  extern __shared__ __align__(128) char row[];
  uint32_t warp = threadIdx.x / 32 * gridDim.x + blockIdx.x, warps = blockDim.x / 32 * gridDim.x;
  int lane = threadIdx.x % 32;
  for (uint32_t i = warp * lanes; i < rows; i += warps * lanes) {
    if (lane < lanes && i + lane < rows) {
      jgin::bulk_store(to + static_cast<uint64_t>(order[i + lane]) * bytes, row, bytes);
    }
    jgin::bulk_commit();
    jgin::bulk_wait_read<1>();
  }
  jgin::bulk_wait_all();
}

inline void bench_row_orders() {
  Memory memory;
  const uint32_t rows = 32768, bytes = 14336;
  uint64_t to = memory.device(static_cast<uint64_t>(rows) * bytes), at = memory.device(rows * 4);
  CHECK(cudaFuncSetAttribute(store_rows, cudaFuncAttributeMaxDynamicSharedMemorySize, 200'000));
  uint64_t x = 99;
  auto random = [&](uint32_t n) {
    x = x * 6364136223846793005ull + 1442695040888963407ull;
    return static_cast<uint32_t>((x >> 33) % n);
  };
  for (const char* name : {"in order", "random", "8 streams", "as experts get them"}) {
    std::string which = name;
    std::vector<uint32_t> order(rows), next(256, 0);
    for (uint32_t i = 0; i < rows; i++) order[i] = which == "8 streams" ? i % 8 * (rows / 8) + i / 8 : i;
    if (which == "random") for (uint32_t i = rows - 1; i > 0; i--) std::swap(order[i], order[random(i + 1)]);
    if (which == "as experts get them") {
      std::vector<uint32_t> expert(rows), start(257, 0);
      for (uint32_t i = 0; i < rows; i++) start[(expert[i] = random(256)) + 1]++;
      for (int e = 0; e < 256; e++) start[e + 1] += start[e];
      for (uint32_t i = 0; i < rows; i++) order[i] = start[expert[i]] + next[expert[i]]++;
    }
    put(at, order);
    for (int lanes : {1, 8}) {
      for (int threads : {128, 256}) {
        double us = time_graph(4, [&](cudaStream_t q, int) {
          store_rows<<<132, threads, 200'000, q>>>(reinterpret_cast<char*>(to),
                                                   reinterpret_cast<uint32_t*>(at), rows, bytes, lanes);
        }).median;
        std::printf("store rows %s, %d at once, %d threads: %.0f GB/s\n", name, lanes, threads,
                    static_cast<double>(rows) * bytes / 1e3 / us);
      }
    }
  }
}

/// What the memory does with writes alone, and with one read to eight writes.
inline void bench_floors(int) {
  Memory memory;
  uint64_t bytes = 58'720'256, n = bytes / 16;
  uint64_t from = memory.device(bytes), to = memory.device(bytes * 8);
  for (int grid : {132, 264, 528, 1056}) {
    double fill = time_graph(4, [&](cudaStream_t q, int) {
      fill_wide<<<grid, 512, 0, q>>>(reinterpret_cast<uint4*>(to), n * 8);
    }).median;
    double spread = time_graph(4, [&](cudaStream_t q, int) {
      spread_wide<<<grid, 512, 0, q>>>(reinterpret_cast<uint4*>(from), reinterpret_cast<uint4*>(to), n);
    }).median;
    std::printf("floors, %d blocks: fill %.0f GB/s, one read to eight writes %.0f GB/s\n", grid,
                bytes * 8 / 1e3 / fill, bytes * 9 / 1e3 / spread);
  }
}

}  // namespace selftest
