// SPDX-License-Identifier: Apache-2.0

/**
 * The {@code verbs} fabric: one reliable-connected queue pair for each (context, peer) over real
 * libibverbs, on adapters (mlx5) and on soft-RoCE.
 *
 * <p>Start with {@link dev.jgin.fabric.verbs.VerbsFabric}. {@code queue} is the send queue without
 * a device, {@code wire} what ranks tell each other, {@code device} the native calls. This room
 * knows nothing of emulated fabrics, GPUs or MoE.
 */
package dev.jgin.fabric.verbs;
