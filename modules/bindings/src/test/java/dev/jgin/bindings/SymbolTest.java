// SPDX-License-Identifier: Apache-2.0
package dev.jgin.bindings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A header may declare what its library does not export: an inline function, or one that a macro
 * renames. Bound by mistake, such a name fails at its first call, which may be a rare one.
 */
class SymbolTest {
  private static final String FUNCTION = "--include-function ";

  /** Of the C library, bound through the header that includes it. */
  private static final List<String> FOREIGN = List.of("free");

  @ParameterizedTest
  @CsvSource({"verbs", "mlx5dv", "pmix", "cuda"})
  void shouldFindEveryBoundFunctionInItsLibrary(String header) throws IOException {
    NativeLibrary library =
        switch (header) {
          case "verbs" -> NativeLibrary.VERBS;
          case "mlx5dv" -> NativeLibrary.MLX5;
          case "pmix" -> NativeLibrary.PMIX;
          default -> NativeLibrary.CUDA;
        };
    if (!library.isAvailable()) {
      System.err.println("!! SYMBOLS NOT CHECKED: " + library.unavailabilityCause().getMessage());
      Assumptions.abort(library.soname() + " is not on this machine");
    }
    List<String> functions =
        Files.readAllLines(Path.of("src/jextract/" + header + ".args")).stream()
            .filter(line -> line.startsWith(FUNCTION))
            .map(line -> line.substring(FUNCTION.length()))
            .filter(name -> !FOREIGN.contains(name))
            .toList();
    assertFalse(functions.isEmpty());
    assertEquals(
        List.of(),
        functions.stream().filter(name -> library.find(name).isEmpty()).toList(),
        "functions that " + library.soname() + " does not export");
  }
}
