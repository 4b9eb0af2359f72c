// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.verbs.device;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** How much memory this process may lock, which bounds what it may register. */
final class MemoryLock {

  private static final String LINE = "Max locked memory";

  private MemoryLock() {}

  /** The soft limit as the kernel words it: {@code 8388608 bytes}, {@code unlimited}. */
  static String limit() {
    try {
      return parse(Files.readAllLines(Path.of("/proc/self/limits")));
    } catch (IOException e) {
      return "unknown (" + e.getMessage() + ")";
    }
  }

  static String parse(List<String> lines) {
    for (String line : lines) {
      if (line.startsWith(LINE)) {
        String[] words = line.substring(LINE.length()).strip().split("\\s+", -1);
        return words[0].equals("unlimited") ? words[0] : words[0] + " bytes";
      }
    }
    return "unknown";
  }
}
