// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.perf;

import dev.jgin.cli.Version;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code jgin perf signal_lat}. */
@Command(
    name = "signal_lat",
    description = {
      "Latency of a signal: a ping-pong of atomic adds that the target waits for; half the round"
          + " trip.",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false)
final class SignalLatCommand extends TestCommand {
  @Override
  PerfJob job() {
    return latency(PerfTest.SIGNAL_LAT, List.of((long) Long.BYTES));
  }
}
