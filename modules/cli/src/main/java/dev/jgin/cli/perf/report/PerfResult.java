// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.perf.report;

import dev.jgin.cli.ExitCode;
import java.util.List;

/**
 * How a run ended.
 *
 * @param compared values compared
 * @param wrong those that were wrong
 * @param first the first few in words
 * @param stopped why the run ended early; null if it did not
 */
public record PerfResult(long compared, long wrong, List<String> first, String stopped) {

  /** The {@link ExitCode} of the run. */
  public int exitCode() {
    if (wrong > 0) {
      return ExitCode.VIOLATION;
    }
    return stopped == null ? ExitCode.OK : ExitCode.OTHER;
  }
}
