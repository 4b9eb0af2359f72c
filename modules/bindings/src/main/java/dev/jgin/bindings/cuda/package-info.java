// SPDX-License-Identifier: Apache-2.0

/**
 * {@code cuda.h}: the driver functions that JCuda lacks or makes slow. Generated, apart from this
 * page.
 *
 * <p>It lacks launches with attributes (dependent launch, clusters), a dma-buf handle for device
 * memory, the bytes of an IPC handle, flushing of GPUDirect RDMA writes, and entry points. It makes
 * slow what is called for every layer: queries, events, copies, graph launches. Everything else of
 * the driver is called through JCuda; both see the same library and the same contexts, which are
 * per thread. Call {@link dev.jgin.bindings.NativeLibrary#ensureAvailability} of {@code CUDA}
 * before anything in {@code cuda_h}: the driver's library is absent from a machine without an
 * NVIDIA driver.
 *
 * <p><b>What the header hides.</b> It renames functions by macros, and the library exports the old
 * and the new: {@code cuGetProcAddress_v2} is what C calls {@code cuGetProcAddress}. A pointer that
 * {@code cuGetProcAddress_v2} fills in is of the version asked for, which may be older than this
 * header. Types named {@code X} are the structs and unions {@code X_st} and {@code X_union}.
 *
 * <p>{@code CUtensorMap} is not bound: it is aligned to 128 bytes, and jextract makes it 8.
 */
package dev.jgin.bindings.cuda;
