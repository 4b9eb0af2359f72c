// SPDX-License-Identifier: Apache-2.0

/**
 * The GPU engine: the same plan, layout and checks as {@link dev.jgin.moe.EpEngine}, moved by the
 * kernels of {@code cuda-kernels}.
 *
 * <p>Java sets up (structs of {@code abi.h}, device memory, addresses of the other ranks), launches
 * five kernels a layer, and turns what they report into the exceptions of the host engine. Nothing
 * here reads or writes a row on the hot path.
 *
 * <p>Several ranks may share a GPU: {@code SendLedger} and {@code StreamSequence} launch a kernel
 * that waits only behind those that it waits for, so that nothing depends on which blocks are
 * resident.
 *
 * <p>Start with {@link dev.jgin.moe.gpu.GpuNode}, then {@link dev.jgin.moe.gpu.GpuEpEngine} and
 * {@link dev.jgin.moe.gpu.GpuEpStream}. Sizes are made in {@code ShapeStruct}, memory in {@code
 * RankMemory} and {@code PlanMemory}.
 */
package dev.jgin.moe.gpu;
