// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.perf;

import dev.jgin.cli.Version;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code jgin perf put_lat}. */
@Command(
    name = "put_lat",
    description = {
      "Latency of a put: a ping-pong in which each side polls the last byte of what it receives; half"
          + " the round trip, as ib_write_lat.",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false)
final class PutLatCommand extends TestCommand {
  private static final long DEFAULT_BYTES = 2;

  @Mixin private SizeOptions size;

  @Override
  PerfJob job() {
    return latency(PerfTest.PUT_LAT, size.sizes(DEFAULT_BYTES));
  }
}
