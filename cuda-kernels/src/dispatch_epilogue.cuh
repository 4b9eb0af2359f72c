// SPDX-License-Identifier: Apache-2.0
// B: waits for every peer's signals, reads the counts, then copies received rows to where the experts read
// them and believes nothing that is in them.
#pragma once

#include "epilogue_counts.cuh"

extern "C" __global__ void __launch_bounds__(JGIN_THREADS_EPILOGUE, 1)
    jgin_dispatch_epilogue(const __grid_constant__ jgin_launch l) {
  using namespace jgin;
  using namespace jgin::epilogue;
  extern __shared__ __align__(128) char shared_memory[];
  const jgin_shape& s = l.rank.shape;
  uint32_t table = table_bytes(s), stage = s.row_stride;
  Tables tables = carve(shared_memory, s);
    Division division = divide(dynamic_shared_bytes() - table - PIPE_HEAD, stage);
  Pipe pipe(shared_memory + table, division, stage);
  // Nothing of the kernel before, and nothing of a receive window, may be loaded in front of this:
  // the epoch would be an old one, and bytes loaded early are bytes of the epoch before.
  dependency_wait();
  dependency_launch();
  auto* state = pointer<jgin_state>(l.rank.state);
  uint64_t epoch = state->dispatch_epoch + 1;
  bool begun = __syncthreads_and(may_begin(l.rank, KERNEL));
  begun = begun && wait_all(l.rank, KERNEL, JGIN_OP_DISPATCH, epoch);
  if (begun) {
    Counts(l, tables, epoch).read();
    begun = lay_out(l, tables);
  }
  if (begun) {
    uint32_t warp = threadIdx.x / 32;
    Rows rows(l, pipe, tables, epoch);
    if (warp < division.warps) rows.copy(warp * gridDim.x + blockIdx.x, division.warps * gridDim.x);
    uint32_t number = warp * gridDim.x + blockIdx.x, warps = blockDim.x / 32 * gridDim.x;
    rows.balance(number, warps);
    if (s.layout == JGIN_EXPANDED) rows.clear_padding(number, warps);
  }
  if (!last_block(l.rank, KERNEL)) return;
  if (begun && error_of(l.rank) == 0 && __ldcg(reinterpret_cast<unsigned long long*>(&state->balance)) != 0) {
    recount(l, tables);
    check_counts(l, tables, epoch);
  }
  __syncthreads();
  for (uint32_t r = threadIdx.x; r < s.ranks; r += blockDim.x) pointer<uint32_t>(l.rank.source_failed)[r] = 0;
  if (threadIdx.x == 0) {
    auto* out = pointer<jgin_report>(l.rank.report);
    if (error_of(l.rank) == 0) {
      state->dispatch_epoch = epoch;
      state->balance = 0;
      uint32_t received = tables.received[s.ranks];
      store_relaxed_sys(&out->received_rows, received);
      store_relaxed_sys(&out->total_rows,
                        s.layout == JGIN_EXPANDED ? tables.start[s.local_experts] : received);
      store_relaxed_sys(&out->tokens, *pointer<const uint32_t>(l.plan.tokens));
    }
    publish(l.rank, &out->dispatch_epoch, epoch);
  }
}
