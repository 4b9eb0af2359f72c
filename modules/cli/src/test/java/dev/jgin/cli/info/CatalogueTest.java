// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.info;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The catalogue names what scripts and code read: nothing more, nothing less. */
class CatalogueTest {

  private static final Path ROOT = root();

  /** A variable expanded or set by a shell, or its name as a whole literal of a program. */
  private static final Pattern VARIABLE =
      Pattern.compile(
          "\\$\\{?!?(JGIN_[A-Z0-9_]+)|(?<![A-Z0-9_])(JGIN_[A-Z0-9_]+)=|[\"'](JGIN_[A-Z0-9_]+)[\"']");

  /** A system property read by Java code or by a condition of JUnit. */
  private static final Pattern PROPERTY =
      Pattern.compile(
          "(?:getProperty|getLong|getInteger|getBoolean|named = )\\(?\\s*\"(jgin\\.[\\w.]+)\"");

  private static Path root() {
    for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
      if (Files.exists(at.resolve("docs/architecture.md"))) {
        return at;
      }
    }
    throw new IllegalStateException("not inside the repository");
  }

  private static Set<String> read(Pattern pattern) throws IOException {
    Set<String> names = new TreeSet<>();
    for (String folder : new String[] {"scripts", "modules", "bench"}) {
      Files.walkFileTree(
          ROOT.resolve(folder),
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path at, BasicFileAttributes attributes) {
              String name = at.getFileName().toString();
              // The catalogue and its tests name settings without reading them.
              return name.equals("target") || name.equals("generated") || at.endsWith("cli/info")
                  ? FileVisitResult.SKIP_SUBTREE
                  : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
              names.addAll(names(pattern, text(file)));
              return FileVisitResult.CONTINUE;
            }
          });
    }
    return names;
  }

  private static String text(Path file) throws IOException {
    try {
      return Files.readString(file);
    } catch (MalformedInputException _) {
      return ""; // a binary
    }
  }

  private static Set<String> names(Pattern pattern, String text) {
    Set<String> names = new TreeSet<>();
    Matcher matcher = pattern.matcher(text);
    while (matcher.find()) {
      for (int group = 1; group <= matcher.groupCount(); group++) {
        if (matcher.group(group) != null) {
          names.add(matcher.group(group));
        }
      }
    }
    return names;
  }

  private static Set<String> catalogue(String prefix) {
    Set<String> names = new TreeSet<>(Known.INTERNAL.keySet());
    Known.SETTINGS.forEach(setting -> names.add(setting.name()));
    names.removeIf(name -> !name.startsWith(prefix));
    return names;
  }

  @Test
  void shouldNameEveryVariableThatIsReadAndNoOther() throws IOException {
    assertEquals(
        catalogue(Known.VARIABLE_PREFIX),
        read(VARIABLE),
        "write new variables into " + Known.class.getName());
  }

  @Test
  void shouldNameEveryPropertyThatIsReadAndNoOther() throws IOException {
    assertEquals(
        catalogue(Known.PROPERTY_PREFIX),
        read(PROPERTY),
        "write new properties into " + Known.class.getName());
  }

  @Test
  void shouldFindAReaderInEveryLanguage() {
    String sources =
        "x=\"${JGIN_A:-1}\" y=$JGIN_B z=\"${!JGIN_C}\" JGIN_D=1 getenv(\"JGIN_E\") #ifndef JGIN_H";
    assertEquals(
        Set.of("JGIN_A", "JGIN_B", "JGIN_C", "JGIN_D", "JGIN_E"), names(VARIABLE, sources));
    assertEquals(
        Set.of("jgin.a", "jgin.b.c"),
        names(PROPERTY, "Long.getLong(\"jgin.a\", 1) named = \"jgin.b.c\" \"jgin.moe/1\""));
  }

  @Test
  void shouldExplainEverySetting() {
    for (Known.Setting setting : Known.SETTINGS) {
      assertFalse(setting.meaning().isBlank() || setting.unset().isBlank(), setting.name());
      assertFalse(Known.INTERNAL.containsKey(setting.name()), setting.name() + " is listed twice");
    }
    Known.INTERNAL.forEach((name, reason) -> assertTrue(reason.length() > 10, name));
  }
}
