// SPDX-License-Identifier: Apache-2.0
/**
 * The measurement loops of {@code jgin perf}: one small class for each test, one object for each
 * rank, driven by one platform thread for each rank.
 *
 * <p>A loop uses the public model ({@code Context}, {@code SignalTable}, {@code Barrier}) and so
 * measures what a program over it gets. Between its first and its last round it allocates nothing
 * and takes no lock; every wait has a deadline, looks at the lanes' error words and ends when
 * another rank has failed ({@link dev.jgin.cli.perf.loop.Together}). Nothing here parses options,
 * prints or computes a figure: timestamps go into {@link dev.jgin.cli.perf.loop.Stamps}.
 *
 * <p>Start with {@link dev.jgin.cli.perf.loop.Loop}, then {@code PutPingPong}.
 */
package dev.jgin.cli.perf.loop;
