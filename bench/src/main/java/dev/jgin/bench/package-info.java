// SPDX-License-Identifier: Apache-2.0

/**
 * Benchmarks: lanes, barriers, the proxy's loop, and the passes of a mixture-of-experts layer.
 *
 * <p>{@link dev.jgin.bench.Quick} is what {@code scripts/bench} runs: ratios, because bare times of
 * an unknown machine say little; each ratio's two sides are measured in turn within one run ({@link
 * dev.jgin.bench.InTurn}). The classes named {@code …Bench} are JMH suites for single questions.
 * Fixtures drive all ranks from one thread, so that figures are the cost of the software and not of
 * a scheduler. Nothing here judges correctness: that is the tests' work.
 */
package dev.jgin.bench;
