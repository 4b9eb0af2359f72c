// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.perf.report;

/**
 * One row of the table.
 *
 * @param label what the row is about where it is not a size: the protocol of a barrier; else empty
 * @param bytes of a message; 0 where there is none
 * @param iterations how many were run
 * @param figures what came out
 */
public record PerfRow(String label, long bytes, long iterations, Figures figures) {

  /** A latency or a throughput. */
  public sealed interface Figures {}

  /** Figures of a latency test, and the times that they were computed of. */
  public record Lat(Latency latency, Times times) implements Figures {}

  /** Figures of a throughput test, with how many puts were outstanding on a context. */
  public record Bw(Bandwidth bandwidth, long depth) implements Figures {}
}
