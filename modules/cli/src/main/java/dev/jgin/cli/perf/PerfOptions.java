// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.perf;

import dev.jgin.cli.Numbers;
import dev.jgin.cli.Quantities;
import dev.jgin.cli.UsageException;
import dev.jgin.cli.perf.report.PerfJson;
import dev.jgin.cli.perf.report.PerfOutput;
import dev.jgin.cli.perf.report.PerfOutput.Samples;
import dev.jgin.cli.perf.report.PerfText;
import dev.jgin.gin.spi.FabricSpec;
import java.io.PrintWriter;
import picocli.CommandLine.Option;

/** The options of every test. Short names are perftest's where perftest has the option. */
final class PerfOptions {
  private static final int LEAST_ITERATIONS = 5;
  private static final int MOST_ITERATIONS = 10_000_000;
  private static final int MOST_SECONDS = 86_400;
  private static final long WARM_BYTES = 1L << 30;
  private static final long LEAST_WARMUP = 20;

  @Option(
      names = "--fabric",
      paramLabel = "SPEC",
      description =
          "Carrier and its options, for example verbs:devices=rxe0+rxe1,inline=64; see jgin fabrics."
              + " Default: emulated (plain).")
  String fabric;

  @Option(
      names = "--contexts",
      paramLabel = "N",
      defaultValue = "1",
      description = "Contexts to each peer, which messages take in turn; 1 to 256. Default: 1.")
  int contexts;

  @Option(
      names = {"-n", "--iters"},
      paramLabel = "N",
      description = "Iterations, 5 to 10000000. Default: 1000; put_bw: 5000.")
  Integer iterations;

  @Option(
      names = {"-D", "--duration"},
      paramLabel = "SECONDS",
      description =
          "Run for so long instead. Latencies are then those of the last 1048576 iterations, and"
              + " there is no peak of throughput.")
  Integer seconds;

  @Option(
      names = {"-w", "--warmup"},
      paramLabel = "N",
      description =
          "Iterations before those, not timed: N before the first size, a hundredth of N before each"
              + " other. Default: 20000, fewer where they would move more than 1 GiB.")
  Integer warmup;

  @Option(
      names = {"-H", "--report-histogram"},
      description = "Latency: print the time of every iteration, sorted.")
  boolean histogram;

  @Option(
      names = {"-U", "--report-unsorted"},
      description = "Latency: print the time of every iteration, in the order measured.")
  boolean unsorted;

  @Option(names = "--json", description = "Print one JSON document on standard output.")
  boolean json;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Seed of payload and carrier. Default: 1.")
  long seed;

  @Option(
      names = "--wait",
      paramLabel = "HOW",
      defaultValue = "auto",
      description =
          "Between two looks: spin, backoff (spin, yield, park), or auto: spin if each rank can have"
              + " a processor. Default: auto.")
  Waiting waiting;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      defaultValue = "30s",
      description = "Deadline of each wait. Default: 30s.")
  String timeout;

  @Option(
      names = "--allow-unsound",
      description = "Run on a carrier that promises less than the test needs.")
  boolean allowUnsound;

  /** Checks what all tests have in common. */
  void check() {
    Numbers.requireIn("--contexts", contexts, 1, FabricSpec.MAX_CONTEXTS);
    if (iterations != null && seconds != null) {
      throw new UsageException(
          "--iters %d and --duration %d: give one of them".formatted(iterations, seconds));
    }
    if (iterations != null) {
      Numbers.requireIn("--iters", iterations, LEAST_ITERATIONS, MOST_ITERATIONS);
    }
    if (seconds != null) {
      Numbers.requireIn("--duration", seconds, 1, MOST_SECONDS);
    }
    if (warmup != null) {
      Numbers.requireIn("--warmup", warmup, 0, MOST_ITERATIONS);
    }
  }

  /** How much is run when the first messages are of {@code bytes}. */
  PerfJob.Effort effort(int defaultIterations, int defaultWarmup, long bytes) {
    long warm =
        warmup != null ? warmup : Math.clamp(WARM_BYTES / bytes, LEAST_WARMUP, defaultWarmup);
    if (seconds != null) {
      return new PerfJob.Effort(0, seconds, warm);
    }
    return new PerfJob.Effort(iterations != null ? iterations : defaultIterations, 0, warm);
  }

  /** The carrier, if none was asked for {@code otherwise}. */
  String fabric(String otherwise) {
    return fabric != null ? fabric : otherwise;
  }

  long timeoutNanos() {
    return Quantities.nanos("--timeout", timeout);
  }

  /** Where the run is written to. */
  PerfOutput output(PrintWriter out) {
    Samples samples = unsorted ? Samples.UNSORTED : histogram ? Samples.SORTED : Samples.NONE;
    return json ? new PerfJson(out, samples) : new PerfText(out, samples);
  }
}
