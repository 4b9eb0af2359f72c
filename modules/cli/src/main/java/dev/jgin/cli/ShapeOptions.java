// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli;

import picocli.CommandLine.Option;

/** What a row is and how rows are laid out and summed. */
final class ShapeOptions {
  @Option(
      names = "--hidden",
      paramLabel = "N",
      defaultValue = "2048",
      description = "Elements of a row; a row is a multiple of 16 bytes. Default: 2048.")
  int hidden;

  @Option(
      names = "--dtype",
      paramLabel = "TYPE",
      defaultValue = "bf16",
      description = "Type of dispatched elements: bf16, fp16, fp32 or fp8. Default: bf16.")
  String dtype;

  @Option(
      names = "--scales",
      paramLabel = "FORMAT",
      description = "Scales of fp8 rows, one for 128 elements: fp32, ue8m0, none. Default: fp32.")
  String scales;

  @Option(
      names = "--layout",
      paramLabel = "LAYOUT",
      defaultValue = "expanded",
      description =
          "expanded: a row for each (token, expert), grouped by expert; one-row: a row for each"
              + " token. Default: expanded.")
  String layout;

  @Option(
      names = "--align",
      paramLabel = "N",
      defaultValue = "1",
      description = "Each expert's first row is a multiple of N; gaps are zero. Default: 1.")
  int align;

  @Option(
      names = "--combine",
      paramLabel = "MODE",
      description =
          "canonical: every row returns, the same bits at every number of ranks; reduced: summed"
              + " per rank first. Default: canonical; with one-row: reduced.")
  String combine;
}
