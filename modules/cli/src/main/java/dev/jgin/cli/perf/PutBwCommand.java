// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.perf;

import dev.jgin.cli.Numbers;
import dev.jgin.cli.UsageException;
import dev.jgin.cli.Version;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code jgin perf put_bw}. */
@Command(
    name = "put_bw",
    description = {
      "Throughput of puts from rank 0 to rank 1, many outstanding, as ib_write_bw. MB is 2^20 bytes.",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false)
final class PutBwCommand extends TestCommand {
  private static final long DEFAULT_BYTES = 64 << 10;
  private static final int DEFAULT_DEPTH = 128;
  private static final int MOST_DEPTH = 1 << 20;
  private static final int ITERATIONS = 5000;
  private static final int WARMUP = 20_000;

  @Mixin private SizeOptions size;

  @Option(
      names = {"-t", "--tx-depth"},
      paramLabel = "N",
      description =
          "Puts outstanding on each context, at most what the carrier's lanes hold; less where their"
              + " buffers would exceed 256 MiB. Default: 128, or what lanes hold.")
  private Integer depth;

  @Override
  PerfJob job() {
    if (depth != null) {
      Numbers.requireIn("--tx-depth", depth, 1, MOST_DEPTH);
    }
    if (options.histogram || options.unsorted) {
      throw new UsageException(
          (options.histogram ? "--report-histogram" : "--report-unsorted")
              + ": put_bw measures throughput and has no times of single puts; leave it out");
    }
    List<Long> sizes = size.sizes(DEFAULT_BYTES);
    return new PerfJob(
        PerfTest.PUT_BW,
        options.fabric("emulated"),
        2,
        options.contexts,
        sizes,
        List.of(),
        false,
        depth == null ? DEFAULT_DEPTH : depth,
        depth != null,
        options.effort(ITERATIONS, WARMUP, sizes.getFirst()),
        options.waiting,
        options.timeoutNanos(),
        options.seed,
        options.allowUnsound);
  }
}
