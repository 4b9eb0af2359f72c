// SPDX-License-Identifier: Apache-2.0

/**
 * The embedded default: ranks of one process on threads, effects applied by the thread that rings.
 *
 * <p>No disorder is added, so this carrier keeps even the promises that networks do not make:
 * everything rung before is visible before everything rung after, whatever the lane, because one
 * thread's stores are ordered by release on every signal and at the end of every write, and a
 * thread that was told to go on by another has acquired what that one released. It may not
 * allocate, lock or queue behind others on the posting path.
 *
 * <p>Start with {@link dev.jgin.fabric.emulated.plain.PlainFabric}; the recovery side is {@code
 * PlainLaneControl}.
 */
package dev.jgin.fabric.emulated.plain;
