// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.perf;

import dev.jgin.cli.Quantities;
import dev.jgin.cli.UsageException;
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
          "Bytes of a message, up to 1G; K, M and G are powers of 1024. Default: 2; put_bw: 64K.")
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
    long bytes = Quantities.bytes("--size", size);
    if (bytes > MOST) {
      throw new UsageException(
          "--size %s is %d bytes: it must be in 1..%d; measure longer transfers as many messages"
              .formatted(size, bytes, MOST));
    }
    return List.of(bytes);
  }
}
