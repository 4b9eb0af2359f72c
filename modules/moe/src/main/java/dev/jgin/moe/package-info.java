// SPDX-License-Identifier: Apache-2.0

/**
 * Expert-parallel dispatch and combine on the host.
 *
 * <p>An {@link dev.jgin.moe.EpEngine} owns the buffers of one rank; each {@link
 * dev.jgin.moe.EpStream} carries one batch at a time: dispatch, the caller's experts, combine. The
 * engine moves and sums bytes; it does not route, does not run experts and never retries.
 *
 * <p>Start with {@link dev.jgin.moe.EpConfig}, then {@link dev.jgin.moe.EpStream}.
 */
package dev.jgin.moe;
