// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.moe;

import dev.jgin.cli.UsageException;
import dev.jgin.gin.LocalWorld;
import dev.jgin.gin.spi.Fabric;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/**
 * Runs a command between connecting and the first row, so that an experiment can slow or break a
 * lane whose numbers exist only now. The command reads them from its standard input, a line for
 * each end of each lane:
 *
 * <pre>
 * rank=1 context=2 peer=0 device=rxe1 qpn=23
 * </pre>
 *
 * which says: packets that rank 0 sends to rank 1 on context 2 are addressed to queue pair 23. What
 * follows {@code peer} is {@link Fabric#laneName}.
 */
final class LaneHook {
  private LaneHook() {}

  /**
   * Runs {@code command} by {@code /bin/sh}; its output goes to standard error.
   *
   * @throws UsageException if it fails, or does not end within {@code timeoutNanos}
   */
  static void run(String command, LocalWorld ranks, long timeoutNanos) throws IOException {
    // Standard output is the report's.
    Process process =
        new ProcessBuilder("/bin/sh", "-c", "exec 1>&2\n" + command)
            .redirectOutput(ProcessBuilder.Redirect.INHERIT)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (OutputStream lanes = process.getOutputStream()) {
      lanes.write(lanes(ranks).getBytes(StandardCharsets.UTF_8));
    } catch (IOException _) {
      // It did not want to know them all.
    }
    try {
      if (!process.waitFor(timeoutNanos, TimeUnit.NANOSECONDS)) {
        process.destroyForcibly();
        throw new UsageException(
            "--after-connect '%s' did not end within %d ms: raise --timeout"
                .formatted(command, timeoutNanos / 1_000_000));
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while --after-connect ran", e);
    }
    if (process.exitValue() != 0) {
      throw new UsageException(
          "--after-connect '%s' ended with status %d, so nothing was run"
              .formatted(command, process.exitValue()));
    }
  }

  private static String lanes(LocalWorld ranks) {
    StringBuilder lines = new StringBuilder();
    for (int rank = 0; rank < ranks.size(); rank++) {
      Fabric fabric = ranks.communicator(rank).fabric();
      for (int context = 0; context < fabric.contexts(); context++) {
        for (int peer = 0; peer < fabric.ranks(); peer++) {
          String line =
              "rank=%d context=%d peer=%d %s"
                  .formatted(rank, context, peer, fabric.laneName(context, peer));
          lines.append(line.strip()).append('\n');
        }
      }
    }
    return lines.toString();
  }
}
