// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** A machine made of the files that a test writes. */
record Machine(Path root) {

  Machine with(String path, String text) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    return this;
  }

  Machine with(String path, byte[] bytes) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    Files.write(file, bytes);
    return this;
  }

  Host host() {
    return new Host(root, Map.of("PATH", "/usr/bin:/opt/cuda/bin"));
  }

  static Finding named(Probe probe, String name) {
    return probe.look().stream()
        .filter(finding -> finding.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no finding " + name + ": " + probe.look()));
  }

  static void assertFound(Probe probe, String name, Status status, String words) {
    Finding finding = named(probe, name);
    assertEquals(status, finding.status(), finding.toString());
    assertTrue(finding.value().contains(words), finding.toString());
  }
}
