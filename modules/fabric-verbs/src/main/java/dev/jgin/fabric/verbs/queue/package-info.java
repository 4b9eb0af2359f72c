// SPDX-License-Identifier: Apache-2.0

/**
 * The send queue of one lane without a device: work requests laid out once off-heap and patched
 * ({@link dev.jgin.fabric.verbs.queue.SendRing}), tickets and who signals ({@link
 * dev.jgin.fabric.verbs.queue.LaneTickets}), packet numbers.
 *
 * <p>Nothing here calls a native function, so every byte and every count is tested without
 * hardware. Start with {@link dev.jgin.fabric.verbs.queue.SendRing}.
 */
package dev.jgin.fabric.verbs.queue;
