// SPDX-License-Identifier: Apache-2.0
// The instructions that order matters to, each under a name: loads and stores with scope, bulk copies,
// fences between the generic and the asynchronous proxy, dependent launch, the clock. sm_90.
#pragma once

#include "jgin/portable.h"

namespace jgin {

// ---- loads and stores with an order ------------------------------------------------------------

/// Acquire at system scope: what a release at system scope speaks for, from any GPU or the host, is
/// visible behind it.
JGIN_D uint64_t load_acquire_sys(const void* at) {
  uint64_t v;
  asm volatile("ld.acquire.sys.global.u64 %0, [%1];" : "=l"(v) : "l"(at) : "memory");
  return v;
}

JGIN_D uint64_t load_relaxed_sys(const void* at) {
  uint64_t v;
  asm volatile("ld.relaxed.sys.global.u64 %0, [%1];" : "=l"(v) : "l"(at) : "memory");
  return v;
}

JGIN_D uint64_t load_acquire_gpu(const void* at) {
  uint64_t v;
  asm volatile("ld.acquire.gpu.global.u64 %0, [%1];" : "=l"(v) : "l"(at) : "memory");
  return v;
}

JGIN_D void store_release_sys(void* at, uint64_t v) {
  asm volatile("st.release.sys.global.u64 [%0], %1;" ::"l"(at), "l"(v) : "memory");
}

JGIN_D void store_relaxed_sys(void* at, uint64_t v) {
  asm volatile("st.relaxed.sys.global.u64 [%0], %1;" ::"l"(at), "l"(v) : "memory");
}

JGIN_D void store_release_gpu(void* at, uint64_t v) {
  asm volatile("st.release.gpu.global.u64 [%0], %1;" ::"l"(at), "l"(v) : "memory");
}

JGIN_D void fence_acq_rel_sys() { asm volatile("fence.acq_rel.sys;" ::: "memory"); }
JGIN_D void fence_acq_rel_gpu() { asm volatile("fence.acq_rel.gpu;" ::: "memory"); }

// ---- proxies -----------------------------------------------------------------------------------

/// Orders this thread's generic and asynchronous (bulk) accesses to any memory, both ways.
JGIN_D void fence_proxies() { asm volatile("fence.proxy.async;" ::: "memory"); }

/// The same for shared memory alone.
JGIN_D void fence_proxies_shared() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

// ---- wide loads and stores -----------------------------------------------------------------------

/// 16 bytes that this SM reads once.
JGIN_D uint4 load_once(const void* at) {
  uint4 v;
  asm volatile("ld.global.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
               : "l"(at)
               : "memory");
  return v;
}

JGIN_D void store_wide(void* at, uint4 v) {
  asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(at), "r"(v.x), "r"(v.y), "r"(v.z),
               "r"(v.w)
               : "memory");
}

// ---- bulk copies ---------------------------------------------------------------------------------

JGIN_D uint32_t shared_address(const void* p) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}

JGIN_D void mbarrier_init(uint64_t* barrier, uint32_t arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(barrier)),
               "r"(arrivals)
               : "memory");
}

/// Makes initialised mbarriers known to the asynchronous proxy.
JGIN_D void mbarrier_init_fence() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

/// The one arrival of a phase, which ends when `bytes` bytes have been copied.
JGIN_D void mbarrier_expect(uint64_t* barrier, uint32_t bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                   shared_address(barrier)),
               "r"(bytes)
               : "memory");
}

/// Waits for the end of a phase. It always ends: local copies have no peer to wait for.
JGIN_D void mbarrier_wait(uint64_t* barrier, uint32_t parity) {
  uint32_t done;
  do {
    asm volatile(
        "{\n\t.reg .pred p;\n\t"
        "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n\t"
        "selp.u32 %0, 1, 0, p;\n\t}"
        : "=r"(done)
        : "r"(shared_address(barrier)), "r"(parity)
        : "memory");
  } while (done == 0);
}

JGIN_D uint64_t policy_evict_first() {
  uint64_t policy;
  asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
  return policy;
}

/// Global to shared; addresses and bytes are multiples of 16. Ends on the mbarrier.
JGIN_D void bulk_load(void* shared, const void* global, uint32_t bytes, uint64_t* barrier,
                      uint64_t policy) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint"
      " [%0], [%1], %2, [%3], %4;" ::"r"(shared_address(shared)),
      "l"(global), "r"(bytes), "r"(shared_address(barrier)), "l"(policy)
      : "memory");
}

/// Shared to global, also to a peer's; joins this thread's current bulk group.
JGIN_D void bulk_store(void* global, const void* shared, uint32_t bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(global),
               "r"(shared_address(shared)), "r"(bytes)
               : "memory");
}

JGIN_D void bulk_commit() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }

/// Until all but the last N groups of this thread have READ their source, which may be overwritten
/// then. Says nothing about what they write.
template <int N>
JGIN_D void bulk_wait_read() {
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(N) : "memory");
}

/// Until all groups of this thread are complete: what they write is visible to this thread.
JGIN_D void bulk_wait_all() { asm volatile("cp.async.bulk.wait_group 0;" ::: "memory"); }

// ---- dependent launch, clock -----------------------------------------------------------------------

/// Until the kernel that this one was launched behind is complete and its stores are visible.
JGIN_D void dependency_wait() { asm volatile("griddepcontrol.wait;" ::: "memory"); }

/// The kernel behind this one may be launched as soon as there is room for it.
JGIN_D void dependency_launch() { asm volatile("griddepcontrol.launch_dependents;" ::: "memory"); }

JGIN_D uint64_t global_nanos() {
  uint64_t t;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
  return t;
}

JGIN_D uint32_t dynamic_shared_bytes() {
  uint32_t bytes;
  asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(bytes));
  return bytes;
}

template <typename T>
JGIN_D T* pointer(uint64_t address) {
  return reinterpret_cast<T*>(address);
}

}  // namespace jgin
