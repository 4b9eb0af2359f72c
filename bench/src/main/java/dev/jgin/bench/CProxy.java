// SPDX-License-Identifier: Apache-2.0
package dev.jgin.bench;

import dev.jgin.gpu.proxy.RingMemory;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The twin of the proxy's loop in C++ ({@code bench/src/main/native/proxy_twin.cc}), compiled when
 * it is first wanted.
 */
final class CProxy {
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

  private final MethodHandle drain;
  private final MemorySegment rings;
  private final long count;

  /** {@code rings} as an array of (descriptors, size, consumed, context). */
  private CProxy(MethodHandle drain, List<RingMemory> memory, Arena arena) {
    this.drain = drain;
    this.count = memory.size();
    this.rings = arena.allocate(LONG, 4 * count);
    for (int i = 0; i < count; i++) {
      RingMemory ring = memory.get(i);
      long[] words = {
        ring.descriptors().address(), ring.size(), ring.consumed().address(), ring.context()
      };
      MemorySegment.copy(words, 0, rings, LONG, 32L * i, words.length);
    }
  }

  /** The twin over {@code filled}; empty if it cannot be compiled here. */
  static Optional<CProxy> of(FilledRings filled) {
    Path root = Path.of("").toAbsolutePath();
    while (root != null && !Files.exists(root.resolve("cuda-kernels/include/jgin/ring.h"))) {
      root = root.getParent();
    }
    if (root == null) {
      return Optional.empty();
    }
    try {
      Path library = Files.createTempFile("jgin-proxy-twin", ".so");
      try {
        return compile(root, library) ? Optional.of(load(library, filled)) : Optional.empty();
      } finally {
        Files.deleteIfExists(library);
      }
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  @SuppressWarnings("restricted") // compiled a moment ago from the repository
  private static CProxy load(Path library, FilledRings filled) {
    MethodHandle handle =
        Linker.nativeLinker()
            .downcallHandle(
                SymbolLookup.libraryLookup(library, filled.arena()).findOrThrow("jgin_bench_drain"),
                FunctionDescriptor.of(LONG, ValueLayout.ADDRESS, LONG, LONG));
    return new CProxy(handle, filled.rings(), filled.arena());
  }

  private static boolean compile(Path root, Path library) throws IOException {
    Process process =
        new ProcessBuilder(
                System.getenv().getOrDefault("CXX", "c++"),
                "-std=c++20",
                "-O3",
                "-march=native",
                "-shared",
                "-fPIC",
                "-I",
                root.resolve("cuda-kernels/include").toString(),
                "-o",
                library.toString(),
                root.resolve("bench/src/main/native/proxy_twin.cc").toString())
            .redirectErrorStream(true)
            .start();
    String output =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    try {
      if (process.waitFor() != 0) {
        throw new IllegalStateException("the twin does not compile: " + output);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
    return true;
  }

  /** Drains all rings once; how many descriptors it found right. */
  long drain() {
    try {
      return (long) drain.invokeExact(rings, count, ProxyWorld.WINDOW);
    } catch (Throwable e) {
      throw new IllegalStateException("the twin could not be called", e);
    }
  }
}
