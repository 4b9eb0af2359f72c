// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.perf;

/** The tests of {@code jgin perf}. */
enum PerfTest {
  PUT_LAT(
      "put_lat",
      2,
      "half the round trip of a put whose last byte the target polls (perftest: ib_write_lat)"),
  PUT_BW(
      "put_bw",
      1,
      "throughput of puts from rank 0 to rank 1, completions polled (perftest: ib_write_bw)"),
  SIGNAL_LAT(
      "signal_lat",
      2,
      "half the round trip of a signal: an atomic add of 1 that the target waits for"),
  ATOMIC_LAT(
      "atomic_lat",
      1,
      "an atomic add from rank 0 to rank 1, from posting to completion (perftest: ib_atomic_lat)"),
  BARRIER_LAT(
      "barrier_lat",
      1,
      "one barrier after another; each time is the longest that any rank took for that barrier");

  private final String label;
  private final int parts;
  private final String measures;

  PerfTest(String label, int parts, String measures) {
    this.label = label;
    this.parts = parts;
    this.measures = measures;
  }

  /** Name on the command line. */
  String label() {
    return label;
  }

  /** An interval is divided by this: 2 for a round trip. */
  int parts() {
    return parts;
  }

  /** What is measured, in words. */
  String measures() {
    return measures;
  }
}
