// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** How much is run, from which seed, and what comes out. */
final class RunOptions {
  @Option(
      names = "--tokens-per-rank",
      paramLabel = "N",
      description =
          "Tokens of each rank in an iteration. Default: 128, or fewer if the log is shorter.")
  Integer tokensPerRank;

  @Option(
      names = "--iterations",
      paramLabel = "N",
      description = "Iterations. Default: 20; with --trace as many as use each token once.")
  Integer iterations;

  @Option(
      names = "--warmup",
      paramLabel = "N",
      defaultValue = "2",
      description = "Iterations before those: verified, not timed. Default: 2.")
  int warmup;

  @Option(
      names = "--streams",
      paramLabel = "N",
      defaultValue = "1",
      description = "Batches in flight, 1 to 64, each with its own buffers. Default: 1.")
  int streams;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Seed of routing, payload and carrier; it replays a run. Default: 1.")
  Long seed;

  @Option(
      names = "--seeds",
      paramLabel = "LIST",
      description = "Sweep: run once for each seed, for example 1..20, and print one table.")
  String seeds;

  @Option(
      names = "--verify",
      paramLabel = "on|off",
      defaultValue = "on",
      description =
          "Compare every dispatched and combined value with a dense all-to-all, bit by bit."
              + " Default: on.")
  String verify;

  @Option(names = "--json", description = "Print one JSON document on standard output.")
  boolean json;

  @Option(
      names = "--dump",
      paramLabel = "DIR",
      description =
          "Write inputs, plan and every rank's outputs as .npy, with a manifest.json. DIR must not"
              + " exist; it appears when all is written.")
  Path dump;

  @Option(
      names = "--dump-iterations",
      paramLabel = "N",
      defaultValue = "1",
      description = "With --dump: how many iterations to write, from the first. Default: 1.")
  int dumpIterations;
}
