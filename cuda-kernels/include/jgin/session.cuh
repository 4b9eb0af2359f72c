// SPDX-License-Identifier: Apache-2.0
// What every kernel shares: error word, deadlines, violations, the meeting of blocks.
#pragma once

#include "jgin/abi.h"
#include "jgin/layout.h"
#include "jgin/memory.cuh"

namespace jgin {

// ---- error word --------------------------------------------------------------------------------

JGIN_D uint64_t error_of(const jgin_rank& rank) { return load_relaxed_sys(pointer<void>(rank.error_word)); }

/// Sets the error word; the first error wins.
JGIN_D void fail(const jgin_rank& rank, uint32_t code, uint32_t kernel, uint32_t peer,
                 uint64_t detail) {
  atomicCAS(pointer<unsigned long long>(rank.error_word), 0ull,
            static_cast<unsigned long long>(error_word(code, kernel, peer, detail)));
}

/// Whether a kernel may begin: nothing has failed before, it is the header's, and rows fit shared memory.
JGIN_D bool may_begin(const jgin_rank& rank, uint32_t kernel) {
  const jgin_shape& s = rank.shape;
  if (s.abi_version != JGIN_ABI_VERSION || s.row_bytes > JGIN_MAX_ROW_BYTES ||
      s.return_bytes > JGIN_MAX_ROW_BYTES) {
    fail(rank, JGIN_ERROR_ABI, kernel, JGIN_ERROR_NO_PEER, s.abi_version);
    return false;
  }
  return error_of(rank) == 0;
}

/// The end of a wait: a deadline in time, the error word, the host's abort word.
class Watch {
 public:
  JGIN_D Watch(const jgin_rank& rank, uint32_t kernel)
      : rank_(rank), kernel_(kernel), end_(global_nanos() + rank.shape.timeout_nanos) {}

  /// To be asked in each round of a wait; true if it must end, and the error word says why.
  JGIN_D bool over(uint32_t code, uint32_t peer, uint64_t detail) {
    if (++rounds_ % 32 != 0) return false;
    if (error_of(rank_) != 0) return true;
    if (rank_.abort_word != 0 && load_relaxed_sys(pointer<void>(rank_.abort_word)) != 0) {
      code = JGIN_ERROR_ABORTED;
    } else if (static_cast<int64_t>(global_nanos() - end_) < 0) {
      return false;
    }
    fail(rank_, code, kernel_, peer, detail);
    return true;
  }

 private:
  const jgin_rank& rank_;
  uint32_t kernel_;
  uint64_t end_;
  uint32_t rounds_ = 0;
};

// ---- violations ----------------------------------------------------------------------------------

JGIN_D bool checks(const jgin_shape& shape, uint32_t check) {
  return (shape.checks >> check & 1) != 0;
}

/// Counts a violation and keeps it if there is room. The slow path; any thread.
static __device__ __noinline__ void report(const jgin_rank& rank, const jgin_violation& violation) {
  auto* head = pointer<jgin_violations>(rank.violations);
  atomicAdd(reinterpret_cast<unsigned long long*>(&head->by_check[violation.check]), 1ull);
  uint64_t n = atomicAdd(reinterpret_cast<unsigned long long*>(&head->found), 1ull);
  if (n < head->capacity) {
    reinterpret_cast<jgin_violation*>(head + 1)[n] = violation;
  }
}

// ---- blocks meet -----------------------------------------------------------------------------------

/// Called by all threads of all blocks at the end of a kernel; true in the block that comes last, and
/// there everything that the other blocks did before is visible at system scope.
JGIN_D bool last_block(const jgin_rank& rank, uint32_t kernel) {
  __shared__ bool last;
  // Stores of this block's other threads happen before thread 0's fence.
  __syncthreads();
  if (threadIdx.x == 0) {
    uint32_t* finished = &pointer<jgin_state>(rank.state)->finished[kernel * 8];
#if defined(JGIN_MUTANT_GPU_SCOPE)
    fence_acq_rel_gpu();
#else
    // System scope: the last block's signals speak for the stores of this block too, and their reader
    // is another GPU, a network card or the host. With GPU scope a peer may see the signal first.
    fence_acq_rel_sys();
#endif
    last = atomicAdd(finished, 1) == gridDim.x - 1;
    if (last) {
      *finished = 0;
      fence_acq_rel_sys();
    }
  }
  __syncthreads();
  return last;
}

/// By one thread of the last block of B or D: tells the host.
JGIN_D void publish(const jgin_rank& rank, uint64_t* epoch_word, uint64_t epoch) {
  auto* out = pointer<jgin_report>(rank.report);
  uint64_t error = error_of(rank);
  store_relaxed_sys(&out->violations, __ldcg(reinterpret_cast<unsigned long long*>(
                                          &pointer<jgin_violations>(rank.violations)->found)));
  store_relaxed_sys(&out->error, error);
  // Last and with release: a host that acquires the epoch, or the error, sees the rest.
  if (error == 0) {
    store_release_sys(epoch_word, epoch);
  } else {
    store_release_sys(&out->error, error);
  }
}

/// Exclusive sums of value(0) .. value(n - 1) into out[0 .. n], by all threads of a block. Sums beyond
/// 32 bits are cut in `out`; the returned total is whole. `scratch`: 33 words of shared memory.
template <typename Value>
JGIN_D uint64_t block_scan(uint32_t n, uint32_t* out, uint64_t* scratch, Value value) {
  uint32_t per = ceil_div(n, blockDim.x);
  uint32_t from = min(n, threadIdx.x * per), to = min(n, from + per);
  uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  uint64_t sum = 0;
  for (uint32_t i = from; i < to; i++) sum += value(i);
  uint64_t inclusive = sum;
  for (uint32_t d = 1; d < 32; d *= 2) {
    uint64_t below = __shfl_up_sync(0xFFFFFFFFu, inclusive, d);
    if (lane >= d) inclusive += below;
  }
  if (lane == 31) scratch[warp] = inclusive;
  __syncthreads();
  uint64_t before = 0, total = 0;
  for (uint32_t w = 0; w < warps; w++) {
    if (w < warp) before += scratch[w];
    total += scratch[w];
  }
  uint64_t running = before + inclusive - sum;
  for (uint32_t i = from; i < to; i++) {
    uint64_t v = value(i);  // before it is overwritten: `out` may be where values are read from
    out[i] = static_cast<uint32_t>(running);
    running += v;
  }
  if (threadIdx.x == 0) out[n] = static_cast<uint32_t>(total);
  __syncthreads();
  return total;
}

}  // namespace jgin
