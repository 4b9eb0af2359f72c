// SPDX-License-Identifier: Apache-2.0
/**
 * {@code jgin perf}: latency and throughput of single operations between the ranks of this process,
 * in perftest's columns, over any carrier.
 *
 * <p>A {@code …Command} turns options into a {@link dev.jgin.cli.perf.PerfJob}, {@link
 * dev.jgin.cli.perf.PerfRun} runs it: it opens a world, makes the loops of {@code
 * dev.jgin.cli.perf.loop} and gives what they measured to {@code dev.jgin.cli.perf.report}. No
 * option is parsed below this package.
 */
package dev.jgin.cli.perf;
