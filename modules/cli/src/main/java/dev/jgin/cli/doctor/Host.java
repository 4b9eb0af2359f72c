// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.doctor;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The files and the environment that probes look at. Immutable; what cannot be read is absent.
 *
 * @param root under which paths are looked up: {@code /}, or a test's folder
 * @param environment variables
 */
record Host(Path root, Map<String, String> environment) {

  /** A path of this host; {@code path} may begin with a slash. */
  Path at(String path) {
    return root.resolve(path.startsWith("/") ? path.substring(1) : path);
  }

  boolean exists(String path) {
    return Files.exists(at(path));
  }

  /** The content, stripped; empty if it cannot be read. */
  Optional<String> text(String path) {
    return bytes(path).map(bytes -> new String(bytes, StandardCharsets.UTF_8).strip());
  }

  Optional<byte[]> bytes(String path) {
    try {
      return Optional.of(Files.readAllBytes(at(path)));
    } catch (IOException _) {
      return Optional.empty();
    }
  }

  /** The rest of the first line of {@code path} that begins with {@code prefix}, stripped. */
  Optional<String> line(String path, String prefix) {
    return text(path).stream()
        .flatMap(String::lines)
        .filter(line -> line.startsWith(prefix))
        .map(line -> line.substring(prefix.length()).strip())
        .findFirst();
  }

  /** Names in a folder, sorted; none if there is no such folder. */
  List<String> names(String folder) {
    try (Stream<Path> files = Files.list(at(folder))) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    } catch (IOException _) {
      return List.of();
    }
  }
}
