// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Where tokens' experts come from: a router's log or a generator. */
final class RoutingOptions {
  @Option(
      names = "--trace",
      paramLabel = "FILE",
      description = {
        "A router's log: JSON lines with topk_ids and topk_weights (vLLM's fields are understood),"
            + " or NumPy ids as .npy or .npz. Used once from end to end unless --iterations says"
            + " otherwise."
      })
  Path trace;

  @Option(
      names = "--weights",
      paramLabel = "FILE",
      description = "With --trace ids.npy: the file of the weights.")
  Path weights;

  @Option(
      names = "--layer",
      paramLabel = "N",
      description = "With --trace: the layer to take; needed if the log has several.")
  Integer layer;

  @Option(
      names = "--routing",
      paramLabel = "SPEC",
      description =
          "Without --trace: uniform, zipf:S, hot (every token to the same experts) or deepseek-v3"
              + " (group-limited sigmoid gating, 256 experts, top-8). Default: uniform.")
  String routing;

  @Option(
      names = "--experts",
      paramLabel = "N",
      description =
          "Experts in all, up to 2048. Default: what the log says; 256 for deepseek-v3; 64.")
  Integer experts;

  @Option(
      names = "--topk",
      paramLabel = "N",
      description = "Experts of a token, up to 32. Default: what the log has; 8.")
  Integer topk;

  @Option(
      names = "--masked",
      paramLabel = "RATIO",
      defaultValue = "0",
      description =
          "Mask this part of the tokens, and of the lanes of the others; 0 to 1. Default: 0.")
  double masked;

  @Option(
      names = "--uneven",
      description =
          "Give ranks different numbers of tokens, one rank none, another --tokens-per-rank.")
  boolean uneven;
}
