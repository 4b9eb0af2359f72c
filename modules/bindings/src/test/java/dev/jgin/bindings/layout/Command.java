// SPDX-License-Identifier: Apache-2.0
package dev.jgin.bindings.layout;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Runs a program of this machine. */
final class Command {
  private Command() {}

  /** What a program did: exit status (127 if it is not there) and everything that it printed. */
  record Result(int status, String output) {}

  static Result run(List<String> command) {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      process.getOutputStream().close();
      String output =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      return new Result(process.waitFor(), output);
    } catch (IOException e) {
      return new Result(127, e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while " + command + " ran", e);
    }
  }

  /** The first line that a program prints, or empty if it fails or is not there. */
  static String line(String... command) {
    Result result = run(List.of(command));
    return result.status() == 0 ? result.output().lines().findFirst().orElse("") : "";
  }
}
