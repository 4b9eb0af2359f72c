// SPDX-License-Identifier: Apache-2.0
/**
 * Runs one MoE layer over and over on all ranks of this process, times it, and holds every value
 * against the oracle.
 *
 * <p>{@link dev.jgin.cli.moe.MoeJob} says what to run, {@link dev.jgin.cli.moe.MoeRun} runs it and
 * answers with a {@link dev.jgin.cli.report.RunReport}. In between, each rank and stream is a
 * {@code StreamProgram}: stage, dispatch, experts, combine, compare. Nothing here parses options or
 * prints.
 */
package dev.jgin.cli.moe;
