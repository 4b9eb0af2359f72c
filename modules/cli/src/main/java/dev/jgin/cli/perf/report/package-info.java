// SPDX-License-Identifier: Apache-2.0
/**
 * Figures of {@code jgin perf} and how they are written down: {@link
 * dev.jgin.cli.perf.report.Latency} and {@link dev.jgin.cli.perf.report.Bandwidth} compute what
 * perftest computes, {@link dev.jgin.cli.perf.report.PerfText} prints perftest's columns, {@link
 * dev.jgin.cli.perf.report.PerfJson} writes a document. Nothing here measures.
 */
package dev.jgin.cli.perf.report;
