// SPDX-License-Identifier: Apache-2.0
/**
 * What a run found, and how it is written down: {@link dev.jgin.cli.report.RunReport} holds the
 * numbers, {@link dev.jgin.cli.report.TextReport} prints them for people in the shape of
 * nccl-tests, {@link dev.jgin.cli.report.JsonReport} for programs, {@link
 * dev.jgin.cli.report.SweepReport} as one row of a table of many runs.
 *
 * <p>Nothing here runs or measures anything, and nothing rounds a number before it is printed.
 * Start with {@code RunReport}.
 */
package dev.jgin.cli.report;
