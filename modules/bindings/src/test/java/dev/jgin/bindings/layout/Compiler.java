// SPDX-License-Identifier: Apache-2.0
package dev.jgin.bindings.layout;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Asks the C compiler where fields lie. */
final class Compiler {
  private static final String CC = System.getenv().getOrDefault("CC", "cc");

  private Compiler() {}

  /** The compiler's name and version, or empty if there is none. */
  static String version() {
    return Command.line(CC, "--version");
  }

  /** Whether {@code include} is found; {@code folder} may be empty. */
  static boolean finds(String include, String folder, Path work) throws IOException {
    Path source = Files.writeString(work.resolve("finds.c"), "#include <" + include + ">\n");
    return Command.run(command(folder, "-fsyntax-only", source.toString())).status() == 0;
  }

  /** The same fields as C lays them out. */
  static List<Field> layOut(String include, String folder, List<Field> fields, Path work)
      throws IOException {
    StringBuilder program = new StringBuilder("#include <stddef.h>\n#include <stdio.h>\n");
    program.append("#include <").append(include).append(">\n");
    program.append(
        """
        #define TYPE(name, type) \\
          printf("%s||0|%zu|%zu\\n", name, sizeof(type), __alignof__(type));
        /* What the type of a field asks for, less where packing has moved the field. */
        static size_t granted(size_t wanted, size_t offset, size_t type) {
          while (offset % wanted != 0 || type % wanted != 0) wanted /= 2;
          return wanted;
        }
        #define FIELD(name, path, type, field) \\
          printf("%s|%s|%zu|%zu|%zu\\n", name, path, offsetof(type, field), \\
                 sizeof(((type *)0)->field), \\
                 granted(__alignof__(__typeof__(((type *)0)->field)), offsetof(type, field), \\
                         __alignof__(type)));
        int main(void) {
        """);
    fields.forEach(field -> program.append("  ").append(field.probe()).append('\n'));
    program.append("}\n");
    Path source = Files.writeString(work.resolve("layout.c"), program);
    Path binary = work.resolve("layout");
    Command.Result compiled =
        Command.run(command(folder, "-o", binary.toString(), source.toString()));
    if (compiled.status() != 0) {
      throw new AssertionError(include + ": a bound field is not in the header\n" + compiled);
    }
    return Command.run(List.of(binary.toString())).output().lines().map(Field::parse).toList();
  }

  private static List<String> command(String folder, String... arguments) {
    List<String> command = new ArrayList<>(List.of(CC));
    if (!folder.isEmpty()) {
      command.add("-I" + folder);
    }
    command.addAll(List.of(arguments));
    return command;
  }
}
