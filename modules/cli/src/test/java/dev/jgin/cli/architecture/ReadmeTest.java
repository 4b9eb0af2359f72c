// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The README's Java example compiles, runs, and prints what the README says. */
class ReadmeTest {
  private static final Pattern EXAMPLE =
      Pattern.compile("```java\n(.*?)```\n.*?```\n(.*?)```", Pattern.DOTALL);

  @Test
  void shouldRunTheExample(@TempDir Path folder) throws IOException, InterruptedException {
    Matcher matcher = EXAMPLE.matcher(Files.readString(House.find().root().resolve("README.md")));
    assertTrue(matcher.find(), "README.md shows no Java example followed by its output");
    Path source = Files.writeString(folder.resolve("Layer.java"), matcher.group(1));
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-ea",
                "-cp",
                System.getProperty("java.class.path"),
                source.toString())
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), output);
    assertEquals(matcher.group(2), output);
  }
}
