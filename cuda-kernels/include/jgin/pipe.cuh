// SPDX-License-Identifier: Apache-2.0
// One warp's ring of stages in shared memory: rows come in by bulk copies, whose end an mbarrier tells,
// and leave by bulk copies. The warp is its own producer and consumer, so nothing but the copies is
// waited for.
#pragma once

#include "jgin/memory.cuh"

namespace jgin {

/// How the shared memory of a block is divided into warps and stages.
struct Division {
  uint32_t warps;   // that move rows; the others wait
  uint32_t stages;  // of each; 0 if not even one fits
};

inline constexpr uint32_t MAX_STAGES = 6;
inline constexpr uint32_t MAX_WARPS = 16;
inline constexpr uint32_t PIPE_HEAD = MAX_STAGES * MAX_WARPS * 8;  // mbarriers, in front of stages

/// First `wanted` stages a warp (three: one loading, one in work, one being stored), then as many warps
/// as that leaves room for, then more stages.
JGIN_D Division divide(uint32_t room, uint32_t stage_bytes, uint32_t wanted = 3) {
  uint32_t fit = room / stage_bytes;
  uint32_t warps = min(min(blockDim.x / 32, MAX_WARPS), max(fit / wanted, 1u));
  return {warps, min(fit / warps, MAX_STAGES)};
}

class Pipe {
 public:
  /// `memory`: PIPE_HEAD bytes of mbarriers, then stages; aligned to 128. By all threads of a block;
  /// behind it a __syncthreads is needed.
  JGIN_D Pipe(char* memory, Division division, uint32_t stage_bytes)
      : stages_(division.stages), stage_bytes_(stage_bytes) {
    uint32_t warp = threadIdx.x / 32;
    barriers_ = reinterpret_cast<uint64_t*>(memory) + warp * MAX_STAGES;
    rows_ = memory + PIPE_HEAD + static_cast<size_t>(warp) * stages_ * stage_bytes;
    if (warp < division.warps && threadIdx.x % 32 == 0) {
      for (uint32_t s = 0; s < stages_; s++) mbarrier_init(&barriers_[s], 1);
      mbarrier_init_fence();
    }
  }

  /// Items that are loaded ahead of the one in work.
  JGIN_D uint32_t ahead() const { return stages_ > 1 ? stages_ - 1 : 1; }

  JGIN_D char* stage(uint32_t item) const { return rows_ + item % stages_ * stage_bytes_; }
  JGIN_D uint64_t* barrier(uint32_t item) const { return &barriers_[item % stages_]; }
  JGIN_D void wait(uint32_t item) const { mbarrier_wait(barrier(item), item / stages_ & 1); }

  /// By every lane, behind the commit of an item's stores and before `item + ahead()` is loaded: until
  /// the stage that it will use has been read by bulk stores.
  JGIN_D void wait_read() const {
    if (stages_ > 1) {
      bulk_wait_read<1>();
    } else {
      bulk_wait_read<0>();
    }
  }

  /// The same where lanes have read or written the stage through the generic proxy: the next bulk copy into
  /// it must not overtake them.
  JGIN_D void wait_free() const {
    wait_read();
    fence_proxies_shared();
    __syncwarp();
  }

 private:
  uint64_t* barriers_;
  char* rows_;
  uint32_t stages_;
  uint32_t stage_bytes_;
};

}  // namespace jgin
