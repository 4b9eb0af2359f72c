// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.perf;

import dev.jgin.cli.Version;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code jgin perf atomic_lat}. */
@Command(
    name = "atomic_lat",
    description = {
      "Latency of a fetch-and-add of 8 bytes, from posting to completion, one at a time, as"
          + " ib_atomic_lat.",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false)
final class AtomicLatCommand extends TestCommand {
  @Override
  PerfJob job() {
    return latency(PerfTest.ATOMIC_LAT, List.of((long) Long.BYTES));
  }
}
