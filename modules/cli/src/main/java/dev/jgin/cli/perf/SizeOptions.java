// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.perf;

import dev.jgin.cli.Quantities;
import dev.jgin.cli.UsageException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import picocli.CommandLine.Option;

/** How long messages are. */
final class SizeOptions {
  /** Longest message. */
  static final long MOST = 1L << 30;

  private static final int LARGEST_POWER = 23;

  @Option(
      names = {"-s", "--size"},
      paramLabel = "BYTES",
      description =
          "Bytes of a message, up to 1G, K, M and G being powers of 1024; several with commas, run in"
              + " turn. Default: 2; put_bw: 64K.")
  String size;

  @Option(
      names = {"-a", "--all"},
      description = "All powers of two from 2 to 8388608 instead of one size.")
  boolean all;

  /** The sizes to run. */
  List<Long> sizes(long otherwise) {
    if (all && size != null) {
      throw new UsageException("--size %s and --all: give one of them".formatted(size));
    }
    if (all) {
      return LongStream.rangeClosed(1, LARGEST_POWER).map(power -> 1L << power).boxed().toList();
    }
    if (size == null) {
      return List.of(otherwise);
    }
    return Arrays.stream(size.split(",", -1)).map(SizeOptions::size).toList();
  }

  private static long size(String text) {
    long bytes = Quantities.bytes("--size", text);
    if (bytes > MOST) {
      throw new UsageException(
          "--size %s is %d bytes: it must be in 1..%d; measure longer transfers as many messages"
              .formatted(text, bytes, MOST));
    }
    return bytes;
  }
}
