// SPDX-License-Identifier: Apache-2.0
/**
 * Reads what routers chose, from JSONL logs and NumPy arrays, into a {@link
 * dev.jgin.moe.routing.Routing}.
 *
 * <p>Traces come from strangers: every line is bounded before it is in memory, every number is
 * checked before it is used, and a refusal names file, line, value, limit and remedy. Nothing is
 * repaired, skipped or guessed without {@link dev.jgin.cli.trace.Trace} saying so.
 *
 * <p>Start with {@link dev.jgin.cli.trace.TraceReader}.
 */
package dev.jgin.cli.trace;
