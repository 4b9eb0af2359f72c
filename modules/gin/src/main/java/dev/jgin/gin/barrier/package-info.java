// SPDX-License-Identifier: Apache-2.0

/**
 * The barrier protocols as non-blocking steps over a flat array of longs.
 *
 * <p>A step has no clock, allocates nothing and touches the world only through a {@link
 * dev.jgin.gin.barrier.BarrierPort}, so that an explorer can copy, hash and compare states and
 * drive the very code that ships. Waiting, deadlines and error words are {@link
 * dev.jgin.gin.Barrier}'s.
 *
 * <p>Start with {@link dev.jgin.gin.barrier.BarrierSteps}, then {@link
 * dev.jgin.gin.barrier.FanInAllSteps}.
 */
package dev.jgin.gin.barrier;
