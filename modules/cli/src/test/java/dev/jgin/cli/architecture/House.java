// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.architecture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The rooms as they stand in the repository and the arrows as docs/architecture.md draws them.
 *
 * <p>A room is a folder under {@code modules/}. Its arrows are the names after the page's {@code →}
 * on the line that names the room and its module; {@code all} means every room that exists.
 */
final class House {
  /** What the page may name behind an arrow although it is no room. */
  private static final Set<String> OUTSIDERS = Set.of("JCuda");

  private static final Pattern ROOM_LINE =
      Pattern.compile("^ {2}([a-z-]+)/ +(dev\\.jgin\\.[a-z.]+) [^→]*(?:→ ([^;]*))?.*$");

  private final Path root;
  private final Map<String, List<String>> drawn = new TreeMap<>();
  private final Map<String, String> moduleNames = new TreeMap<>();

  private House(Path root) {
    this.root = root;
    for (String line : readLines(root.resolve("docs/architecture.md"))) {
      Matcher matcher = ROOM_LINE.matcher(line);
      if (matcher.matches()) {
        moduleNames.put(matcher.group(1), matcher.group(2));
        String arrows = matcher.group(3);
        drawn.put(
            matcher.group(1),
            arrows == null ? List.of() : List.of(arrows.strip().split(", *", -1)));
      }
    }
  }

  /** Finds the repository above the working directory of the test. */
  static House find() {
    Path start = Path.of("").toAbsolutePath();
    for (Path folder = start; folder != null; folder = folder.getParent()) {
      if (Files.exists(folder.resolve("docs/architecture.md"))) {
        return new House(folder);
      }
    }
    throw new IllegalStateException("no docs/architecture.md in " + start + " or above it");
  }

  /** The repository. */
  Path root() {
    return root;
  }

  /** The rooms that exist, by folder name. */
  Set<String> rooms() {
    try (Stream<Path> folders = Files.list(root.resolve("modules"))) {
      Set<String> rooms = new TreeSet<>();
      folders
          .filter(folder -> Files.exists(folder.resolve("pom.xml")))
          .forEach(folder -> rooms.add(folder.getFileName().toString()));
      return rooms;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The rooms that {@code room} may use, as drawn. */
  Set<String> arrows(String room) {
    List<String> names = drawn.get(room);
    if (names == null) {
      throw new AssertionError("docs/architecture.md draws no room named " + room);
    }
    Set<String> targets = new TreeSet<>();
    for (String name : names) {
      if (name.equals("all")) {
        targets.addAll(rooms());
        targets.remove(room);
      } else if (drawn.containsKey(name)) {
        targets.add(name);
      } else if (!OUTSIDERS.contains(name)) {
        throw new AssertionError(room + " has an arrow to " + name + ", which is no room");
      }
    }
    return targets;
  }

  /** Whether the page draws an arrow from {@code room} to {@code target} by name. */
  boolean names(String room, String target) {
    return drawn.getOrDefault(room, List.of()).contains(target);
  }

  /** The module name that the page gives to {@code room}. */
  String moduleName(String room) {
    return moduleNames.get(room);
  }

  /** The room whose module is named {@code module}, or null for a module from elsewhere. */
  String roomOfModule(String module) {
    return moduleNames.entrySet().stream()
        .filter(entry -> entry.getValue().equals(module))
        .map(Map.Entry::getKey)
        .findFirst()
        .orElse(null);
  }

  Path classes(String room) {
    return root.resolve("modules").resolve(room).resolve("target/classes");
  }

  Path sources(String room) {
    return root.resolve("modules").resolve(room).resolve("src/main/java");
  }

  ModuleDescriptor descriptor(String room) {
    Set<ModuleReference> found = ModuleFinder.of(classes(room)).findAll();
    if (found.size() != 1) {
      throw new AssertionError(classes(room) + " holds " + found.size() + " modules, expected one");
    }
    return found.iterator().next().descriptor();
  }

  static List<String> readLines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
