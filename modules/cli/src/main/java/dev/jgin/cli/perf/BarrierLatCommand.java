// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.perf;

import dev.jgin.cli.Choices;
import dev.jgin.cli.Numbers;
import dev.jgin.cli.Version;
import dev.jgin.gin.BarrierProtocol;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code jgin perf barrier_lat}. */
@Command(
    name = "barrier_lat",
    description = {
      "Time of a barrier that fences puts, one after another; of all ranks the longest counts.",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false)
final class BarrierLatCommand extends TestCommand {
  private static final int MOST_RANKS = 256;

  @Option(
      names = "--ranks",
      paramLabel = "N",
      defaultValue = "2",
      description = "Ranks, a thread each; 2 to 256. Default: 2.")
  private int ranks;

  @Option(
      names = "--barrier",
      paramLabel = "PROTOCOL",
      defaultValue = "fan-in-all",
      description =
          "single, flush-then-single, fan-in-all, fan-in-used or order-free; several with commas, or"
              + " all. Default: fan-in-all.")
  private String barrier;

  @Option(
      names = "--puts",
      description =
          "Put 8 bytes to each peer on every context before each barrier, and time that too. Without"
              + " it fan-in-used signals on one context.")
  private boolean puts;

  @Override
  PerfJob job() {
    Numbers.requireIn("--ranks", ranks, 2, MOST_RANKS);
    List<BarrierProtocol> barriers = Choices.barriers("--barrier", barrier);
    boolean lines = barriers.contains(BarrierProtocol.ORDER_FREE);
    return new PerfJob(
        PerfTest.BARRIER_LAT,
        // Tagged lines must become visible whole; one carrier for all protocols.
        options.fabric(lines ? "emulated:granule=64" : "emulated"),
        ranks,
        options.contexts,
        List.of((long) Long.BYTES),
        barriers,
        puts,
        0,
        false,
        options.effort(LATENCY_ITERATIONS, LATENCY_WARMUP, Long.BYTES),
        options.waiting,
        options.timeoutNanos(),
        options.seed,
        options.allowUnsound);
  }
}
