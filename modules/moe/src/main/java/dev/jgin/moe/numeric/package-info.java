// SPDX-License-Identifier: Apache-2.0
/**
 * The element types of a row and the arithmetic on them: conversions, block quantisation, and the
 * loops that widen, accumulate and store one row.
 *
 * <p>Everything here is a pure function of its arguments: no allocation after construction, no
 * locks, no dependence on the thread or the processor. Rounding is to nearest, ties to even, and a
 * product and a sum are always two separate FP32 operations, so that any two engines that follow
 * the same order produce the same bits.
 *
 * <p>This package may not know about ranks, plans or routing. Start with {@link
 * dev.jgin.moe.numeric.DType}, then {@link dev.jgin.moe.numeric.Elements}.
 */
package dev.jgin.moe.numeric;
