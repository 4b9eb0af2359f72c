// SPDX-License-Identifier: Apache-2.0
// Memory, copies and launches of the self-test.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include "jgin/abi.h"

#define CHECK(call)                                                                              \
  do {                                                                                           \
    cudaError_t check_error = (call);                                                            \
    if (check_error != cudaSuccess) {                                                            \
      std::printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(check_error)); \
      std::exit(1);                                                                              \
    }                                                                                            \
  } while (0)

extern "C" __global__ void jgin_plan_routing(const jgin_launch);
extern "C" __global__ void jgin_dispatch_send(const jgin_launch);
extern "C" __global__ void jgin_dispatch_epilogue(const jgin_launch);
extern "C" __global__ void jgin_combine_send(const jgin_launch);
extern "C" __global__ void jgin_combine_reduce(const jgin_launch);

namespace selftest {

/// Memory that is poisoned when it is made and freed with its owner.
class Memory {
 public:
  uint64_t device(uint64_t bytes, int fill = 0) {
    void* p = nullptr;
    CHECK(cudaMalloc(&p, bytes + 128));
    CHECK(cudaMemset(p, fill, bytes + 128));
    device_.push_back(p);
    return reinterpret_cast<uint64_t>(p);
  }
  uint64_t pinned(uint64_t bytes, int fill = 0) {
    void* p = nullptr;
    CHECK(cudaHostAlloc(&p, bytes + 128, cudaHostAllocMapped | cudaHostAllocPortable));
    std::memset(p, fill, bytes + 128);
    pinned_.push_back(p);
    return reinterpret_cast<uint64_t>(p);
  }
  ~Memory() {
    for (void* p : device_) cudaFree(p);
    for (void* p : pinned_) cudaFreeHost(p);
  }

 private:
  std::vector<void*> device_, pinned_;
};

inline const int POISON = 0xEE;

template <typename T>
std::vector<T> fetch(uint64_t address, size_t count) {
  std::vector<T> out(count);
  if (count > 0) {
    CHECK(cudaMemcpy(out.data(), reinterpret_cast<void*>(address), count * sizeof(T), cudaMemcpyDefault));
  }
  return out;
}

template <typename T>
void put(uint64_t address, const std::vector<T>& values) {
  if (values.empty()) return;
  CHECK(cudaMemcpy(reinterpret_cast<void*>(address), values.data(), values.size() * sizeof(T),
                   cudaMemcpyDefault));
}

struct Kernel {
  const char* name;
  void (*function)(const jgin_launch);
  int threads;
  int shared;
};

inline const Kernel KERNELS[] = {
    {"P", jgin_plan_routing, JGIN_THREADS_PLAN, JGIN_SHARED_PLAN},
    {"A", jgin_dispatch_send, JGIN_THREADS_SEND, JGIN_SHARED_SEND},
    {"B", jgin_dispatch_epilogue, JGIN_THREADS_EPILOGUE, JGIN_SHARED_EPILOGUE},
    {"C", jgin_combine_send, JGIN_THREADS_COMBINE, JGIN_SHARED_COMBINE},
    {"D", jgin_combine_reduce, JGIN_THREADS_REDUCE, JGIN_SHARED_REDUCE},
};

inline void prepare_kernels() {
  for (const Kernel& k : KERNELS) {
    CHECK(cudaFuncSetAttribute(k.function, cudaFuncAttributeMaxDynamicSharedMemorySize, k.shared));
  }
}

inline void launch(int kernel, const jgin_launch& l, int blocks, cudaStream_t stream, bool dependent) {
  const Kernel& k = KERNELS[kernel];
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(blocks);
  config.blockDim = dim3(k.threads);
  config.dynamicSmemBytes = k.shared;
  config.stream = stream;
  cudaLaunchAttribute attribute;
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  config.attrs = &attribute;
  config.numAttrs = dependent ? 1 : 0;
  CHECK(cudaLaunchKernelEx(&config, k.function, l));
}

}  // namespace selftest
