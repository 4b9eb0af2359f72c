// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.perf;

import dev.jgin.cli.Command;

/** Runs of {@code jgin perf} that are short unless the line says otherwise. */
final class PerfTestTool {
  private PerfTestTool() {}

  static Command perf(String test, String line) {
    StringBuilder words = new StringBuilder("perf " + test);
    if (!line.contains("-n ") && !line.contains("-D ")) {
      words.append(" -n 50");
    }
    if (!line.contains("-w ")) {
      words.append(" -w 40");
    }
    // Ranks share processors with other tests here.
    if (!line.contains("--wait ")) {
      words.append(" --wait backoff");
    }
    return Command.jgin(words + " " + line);
  }
}
