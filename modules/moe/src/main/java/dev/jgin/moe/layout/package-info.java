// SPDX-License-Identifier: Apache-2.0

/**
 * Where bytes stand: rows, count blocks, buffers, and what they cost.
 *
 * <p>{@link dev.jgin.moe.layout.RowLayout} is a dispatched row, {@link
 * dev.jgin.moe.layout.CombineLayout} a returned one, {@link dev.jgin.moe.layout.CountLayout} the
 * block of counts that goes with them, {@link dev.jgin.moe.layout.BufferFormula} the sum. All
 * numbers are little-endian. Nothing here owns memory.
 *
 * <p>Start with {@link dev.jgin.moe.layout.BufferFormula}.
 */
package dev.jgin.moe.layout;
