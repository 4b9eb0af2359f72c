// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gpu.stub;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;

/** Compiles the stand-in into the folder in which this JVM looks for the driver's library. */
public final class StubLibrary {
  private static final String FILE = "libcuda.so.1";
  private static final String CC = System.getenv().getOrDefault("CC", "cc");
  private static final Optional<String> PROBLEM = install();

  private StubLibrary() {}

  /** Why the driver's library in this process is not the stand-in; empty if it is. */
  public static Optional<String> problem() {
    return PROBLEM;
  }

  /** The folder called stub in {@code LD_LIBRARY_PATH}. */
  public static Optional<Path> folder() {
    String path = System.getenv().getOrDefault("LD_LIBRARY_PATH", "");
    for (String entry : path.split(File.pathSeparator, -1)) {
      if (!entry.isEmpty() && Path.of(entry).endsWith("stub")) {
        return Optional.of(Path.of(entry));
      }
    }
    return Optional.empty();
  }

  private static Optional<String> install() {
    Optional<Path> folder = folder();
    if (folder.isEmpty()) {
      return Optional.of("LD_LIBRARY_PATH names no folder called stub");
    }
    try {
      Files.createDirectories(folder.get());
      return compile(folder.get());
    } catch (IOException e) {
      return Optional.of("no C compiler: " + e.getMessage());
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @SuppressWarnings("restricted") // It was compiled a moment ago.
  private static Optional<String> compile(Path folder) throws IOException, InterruptedException {
    Path work = Files.createTempDirectory(folder, "build");
    try {
      Path source = work.resolve("cuda_stub.c");
      try (InputStream in = StubLibrary.class.getResourceAsStream("cuda_stub.c")) {
        Files.copy(in, source);
      }
      Path library = work.resolve(FILE);
      Process process =
          new ProcessBuilder(
                  CC,
                  "-O1",
                  "-Wall",
                  "-Wextra",
                  "-Werror",
                  "-shared",
                  "-fPIC",
                  "-Wl,-soname," + FILE,
                  "-o",
                  library.toString(),
                  source.toString())
              .redirectErrorStream(true)
              .start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new AssertionError("the stand-in does not compile: " + said);
      }
      // Whole or not at all: a process beside this one may be loading the one before.
      Path installed = folder.resolve(FILE);
      Files.move(library, installed, StandardCopyOption.ATOMIC_MOVE);
      // The linker has looked for the folder at the start of this process, in vain if it is new,
      // and
      // does not look again. By its path it finds the library; from then on it knows it by its
      // name.
      SymbolLookup.libraryLookup(installed, Arena.global());
      return Optional.empty();
    } finally {
      try (var files = Files.list(work)) {
        files.forEach(StubLibrary::delete);
      }
      Files.delete(work);
    }
  }

  private static void delete(Path file) {
    try {
      Files.delete(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
