// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.dump;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Folders with all that is in them. */
final class Trees {
  private Trees() {}

  /** Deletes {@code folder} if it exists. */
  static void delete(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> found = Files.walk(folder)) {
      List<Path> deepestFirst = found.sorted(Comparator.reverseOrder()).toList();
      for (Path path : deepestFirst) {
        Files.deleteIfExists(path);
      }
    }
  }
}
