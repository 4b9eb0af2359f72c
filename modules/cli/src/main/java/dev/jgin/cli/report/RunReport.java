// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.report;

import dev.jgin.cli.ExitCode;
import java.util.List;

/**
 * Everything that one run found.
 *
 * @param setting what was run
 * @param phases one for each operation, the last of them the total
 * @param experts tokens per expert over the timed iterations
 * @param ranks rows received per rank over the timed iterations
 * @param violations what the checks found, warm-up included
 * @param verdict what the comparison with the oracle found, warm-up included
 * @param stopped why the run ended early; null if it did not
 */
public record RunReport(
    Setting setting,
    List<Phase> phases,
    Loads experts,
    Loads ranks,
    Violations violations,
    Verification verdict,
    String stopped) {

  /**
   * One operation.
   *
   * @param op its name
   * @param bytes payload bytes moved by all ranks in an iteration, on average
   * @param rows rows moved by all ranks in an iteration, on average
   * @param dtype type of their elements
   * @param time of the slowest rank in each iteration
   * @param wrong wrong values, or {@link #NOT_HERE} where the next operation shows them
   */
  public record Phase(
      String op, double bytes, double rows, String dtype, Percentiles time, long wrong) {
    /** Nothing is compared behind this operation. */
    public static final long NOT_HERE = -1;

    /** Bytes over mean time, in units of 10^9 bytes per second; NaN if no time was measured. */
    public double algbw() {
      return time.mean() == 0 ? Double.NaN : bytes / time.mean();
    }
  }

  /**
   * What the comparison found.
   *
   * @param compared values compared, bit by bit
   * @param wrong those that differed
   * @param first the first few in full
   */
  public record Verification(long compared, long wrong, List<String> first) {}

  /** Whether the run shows nothing wrong although nothing promises that: no proof of soundness. */
  public boolean luck() {
    return exitCode() == ExitCode.OK && setting.notPromised() != null;
  }

  /** The {@link ExitCode} of the run. */
  public int exitCode() {
    if (violations.total() > 0 || verdict.wrong() > 0) {
      return ExitCode.VIOLATION;
    }
    return stopped == null ? ExitCode.OK : ExitCode.OTHER;
  }
}
