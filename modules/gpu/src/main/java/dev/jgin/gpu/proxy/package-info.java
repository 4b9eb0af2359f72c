// SPDX-License-Identifier: Apache-2.0

/**
 * The host's half of PROXY: kernels push descriptors into rings in pinned memory, and a thread here
 * posts them to any {@link dev.jgin.gin.spi.Fabric} and runs the barrier behind them.
 *
 * <p>Start with {@link dev.jgin.gpu.proxy.ProxyEngine}. Nothing here knows a GPU: it sees memory
 * segments, so a test that writes descriptors from Java or C drives the code that a kernel drives.
 * The bytes are those of {@code cuda-kernels/include/jgin/abi.h}, section PROXY.
 *
 * <h2>Order between the GPU and this thread</h2>
 *
 * Three words pass from one to the other, and each carries its own release and acquire:
 *
 * <ul>
 *   <li><b>A descriptor</b> (GPU to host). Its eight words may become visible in any order: each
 *       says by its highest bit which lap of the ring it is of, so none vouches for another, and
 *       the loads need no order among themselves. They are opaque loads: whole, and never back to
 *       the word of an older lap once a newer one was seen, which plain loads may do. One acquire
 *       fence stands behind all eight, because a descriptor also speaks for bytes that are not in
 *       it: the rows it sends. The producer fences at system scope between its rows and the first
 *       of the eight words; without the fence here the carrier could copy rows from before that.
 *   <li><b>{@code consumed}</b> (host to GPU) is stored with release: the loads of the eight words
 *       come before it, so a producer that acquires it overwrites nothing that is still to be read.
 *   <li><b>{@code jgin_proxy_word}</b> (host to GPU) is stored with release after the barrier's
 *       cells were acquired: a kernel that acquires the epoch sees the rows that the barrier
 *       fenced.
 * </ul>
 *
 * On x86 loads are not reordered with loads, nor stores with stores or earlier loads: all of this
 * costs no instruction there, and only keeps the compiler from moving anything. On AArch64 the
 * fence is {@code dmb ishld} and the stores are {@code stlr}. It has been run on x86 alone.
 */
package dev.jgin.gpu.proxy;
