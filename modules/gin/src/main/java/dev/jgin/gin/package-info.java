// SPDX-License-Identifier: Apache-2.0

/**
 * The model: what a JVM engineer programs against. Ranks, contexts, windows, puts, signals and
 * barriers over any {@link dev.jgin.gin.spi.Fabric}.
 *
 * <p>Start with {@link dev.jgin.gin.Communicator}, then {@link dev.jgin.gin.Context} for puts and
 * signals and {@link dev.jgin.gin.Barrier} for the reason jgin exists. Nothing here is native, and
 * nothing here knows a concrete carrier.
 */
package dev.jgin.gin;
