// SPDX-License-Identifier: Apache-2.0
// The barrier of an operation, across the backends that a world mixes: signal all, wait for all.
#pragma once

#include "jgin/nvlink.cuh"
#include "jgin/proxy.cuh"

namespace jgin {

/// What FanIn's steps see in a kernel.
struct ExchangePort {
  const jgin_rank& rank;
  NvLink nvlink;
  Proxy proxy;
  uint64_t base;  // of the operation's and parity's cells

  JGIN_D ExchangePort(const jgin_rank& r, uint32_t kernel, uint32_t op, uint64_t epoch)
      : rank(r), nvlink(r), proxy(r, kernel, op, epoch), base(signal_at(r.shape, op, epoch, 0, 0)) {}

  JGIN_D uint32_t kind(uint32_t peer) const {
    return pointer<const jgin_peer>(rank.peers)[peer].kind;
  }
  JGIN_D bool try_signal(uint32_t context, uint32_t member, uint64_t cell, uint64_t epoch) {
    return kind(member) == JGIN_PEER_NVLINK ? nvlink.signal(context, member, base + cell, epoch)
                                            : proxy.arrive(context, member);
  }
  JGIN_D bool expects(uint32_t source) const {
    return rank.proxy_peers == 0 || kind(source) == JGIN_PEER_NVLINK;
  }
  JGIN_D uint64_t load(uint64_t cell) {
    return load_acquire_sys(pointer<uint64_t>(rank.signals) + base + cell);
  }
};

JGIN_D FanIn fan_in(const jgin_rank& rank) {
  // One flag is enough where signals are cumulative; every context has its cell all the same, so that
  // the protocol is the one that is checked on the host.
  static_assert(NvLink::AXIOMS.signal_cumulative);
  return {rank.shape.ranks, rank.shape.rank, rank.shape.contexts};
}

/// By all threads of one block, behind a meeting of the blocks: signals every peer on every context.
JGIN_D void signal_all(const jgin_rank& rank, uint32_t kernel, uint32_t op, uint64_t epoch) {
  ExchangePort port(rank, kernel, op, epoch);
  FanIn barrier = fan_in(rank);
  FanInState state = barrier.begin(epoch, threadIdx.x);
  barrier.arrive(state, blockDim.x, port);
}

/// By all threads of a block: waits until every peer has signalled on every context. False, in all
/// threads, if the wait ended otherwise; the error word says why.
JGIN_D bool wait_all(const jgin_rank& rank, uint32_t kernel, uint32_t op, uint64_t epoch) {
  bool passed = true;
#if !defined(JGIN_MUTANT_NO_WAIT)
  ExchangePort port(rank, kernel, op, epoch);
  FanIn barrier = fan_in(rank);
  FanInState state = barrier.begin(epoch, threadIdx.x);
  Watch watch(rank, kernel);
  while (!barrier.poll(state, blockDim.x, port)) {
    if (watch.over(JGIN_ERROR_DEADLINE, barrier.waits_for(state), barrier.waits_on(state))) {
      passed = false;
      break;
    }
  }
  if (rank.proxy_peers != 0 && threadIdx.x == 0) {
    while (passed && !port.proxy.poll(0, epoch)) {
      if (port.proxy.failed() != 0) {
        fail(rank, JGIN_ERROR_PROXY, kernel, JGIN_ERROR_NO_PEER, port.proxy.failed());
        passed = false;
      } else if (watch.over(JGIN_ERROR_DEADLINE, JGIN_ERROR_NO_PEER, 0)) {
        passed = false;
      }
    }
  }
#endif
  bool all = __syncthreads_and(passed);
  // Peers' bytes are about to be read by bulk copies, which the acquires above do not order: they are
  // of the generic proxy. Behind the meeting of the threads, because any of them may issue the copies.
  fence_proxies();
  return all;
}

}  // namespace jgin
