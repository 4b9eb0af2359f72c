// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every room owes its reader and its loader. */
class RoomTest {
  private static final House HOUSE = House.find();

  static Stream<String> rooms() {
    return HOUSE.rooms().stream();
  }

  /**
   * A service is declared twice: in the module descriptor, which {@code jgin} reads, and in
   * META-INF/services, which the class path of tests and benchmarks reads. If they differ, tests
   * exercise other providers than the ones that ship.
   */
  @ParameterizedTest
  @MethodSource("rooms")
  void shouldProvideTheSameServicesOnModulePathAndClassPath(String room) throws IOException {
    Map<String, List<String>> onModulePath = new TreeMap<>();
    for (ModuleDescriptor.Provides provides : HOUSE.descriptor(room).provides()) {
      onModulePath.put(provides.service(), provides.providers().stream().sorted().toList());
    }
    assertEquals(onModulePath, servicesOnClassPath(HOUSE.classes(room)));
  }

  @ParameterizedTest
  @MethodSource("rooms")
  void shouldExplainEveryPackage(String room) throws IOException {
    try (Stream<Path> files = Files.walk(HOUSE.sources(room))) {
      List<Path> packages =
          files
              .filter(file -> file.toString().endsWith(".java"))
              .filter(file -> !file.getFileName().toString().equals("module-info.java"))
              .map(Path::getParent)
              .distinct()
              .toList();
      for (Path folder : packages) {
        assertTrue(
            Files.exists(folder.resolve("package-info.java")), folder + " has no package-info");
      }
    }
  }

  private static Map<String, List<String>> servicesOnClassPath(Path classes) throws IOException {
    Map<String, List<String>> services = new TreeMap<>();
    Path folder = classes.resolve("META-INF/services");
    if (Files.isDirectory(folder)) {
      try (Stream<Path> files = Files.list(folder)) {
        for (Path file : files.toList()) {
          services.put(
              file.getFileName().toString(),
              House.readLines(file).stream()
                  .map(line -> line.replaceFirst("#.*", "").strip())
                  .filter(line -> !line.isEmpty())
                  .sorted()
                  .toList());
        }
      }
    }
    return services;
  }
}
