// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gpu.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

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
import org.junit.jupiter.api.Assumptions;

/** {@code jgin/ring.h}, the header that kernels push with, compiled for the host. */
final class CRing {
  private static final String COMPILER = System.getenv().getOrDefault("CXX", "c++");
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;

  private final MethodHandle push;
  private final MethodHandle take;
  private final MemorySegment put;
  private final MemorySegment order;

  /** Compiles it in {@code work}; fails in CI without a compiler, elsewhere leaves the test. */
  @SuppressWarnings("restricted") // the library was compiled a moment ago from the repository
  CRing(Path work, Arena arena) throws IOException {
    Path library = work.resolve("libring.so");
    compile(library);
    SymbolLookup symbols = SymbolLookup.libraryLookup(library, arena);
    this.push =
        Linker.nativeLinker()
            .downcallHandle(
                symbols.findOrThrow("jgin_test_push"),
                FunctionDescriptor.of(
                    INT,
                    ValueLayout.ADDRESS,
                    LONG,
                    ValueLayout.ADDRESS,
                    LONG,
                    ValueLayout.ADDRESS,
                    ValueLayout.ADDRESS));
    this.take =
        Linker.nativeLinker()
            .downcallHandle(
                symbols.findOrThrow("jgin_test_take"),
                FunctionDescriptor.of(INT, ValueLayout.ADDRESS, LONG, LONG, ValueLayout.ADDRESS));
    this.put = arena.allocate(72, 8);
    this.order = arena.allocate(INT, Descriptor.WORDS);
  }

  private static void compile(Path library) throws IOException {
    Path root = Path.of("").toAbsolutePath();
    while (!Files.exists(root.resolve("cuda-kernels/include/jgin/ring.h"))) {
      root = root.getParent();
      if (root == null) {
        throw new IllegalStateException("no cuda-kernels/include/jgin/ring.h above the test");
      }
    }
    List<String> command =
        List.of(
            COMPILER,
            "-std=c++20",
            "-O2",
            "-Wall",
            "-Wextra",
            "-Werror",
            "-shared",
            "-fPIC",
            "-I",
            root.resolve("cuda-kernels/include").toString(),
            "-o",
            library.toString(),
            root.resolve("modules/gpu/src/test/native/ring_producer.cc").toString());
    Process process;
    try {
      process = new ProcessBuilder(command).redirectErrorStream(true).start();
    } catch (IOException e) {
      unchecked("no C++ compiler (" + e.getMessage() + "); install g++ or set CXX");
      return;
    }
    String output =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    try {
      assertEquals(0, process.waitFor(), output);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  private static void unchecked(String why) {
    String message = "KERNELS' RING NOT CHECKED: " + why;
    if ("true".equals(System.getenv("CI"))) {
      fail(message);
    }
    System.err.println("!! " + message);
    Assumptions.abort(message);
  }

  /** Sets a word order; word {@code i} is stored {@code i}-th by default. */
  void order(int... words) {
    for (int i = 0; i < words.length; i++) {
      order.setAtIndex(INT, i, words[i]);
    }
  }

  /** Pushes at {@code position}; false if there is no room. */
  boolean push(
      RingMemory ring,
      long position,
      int operation,
      int source,
      int target,
      long from,
      long to,
      long bytes,
      long value,
      long high,
      long epoch) {
    int[] head = {operation, source, target, ring.context(), ring.peer()};
    for (int i = 0; i < head.length; i++) {
      put.setAtIndex(INT, i, head[i]);
    }
    long[] rest = {from, to, bytes, value, high, epoch};
    for (int i = 0; i < rest.length; i++) {
      put.set(LONG, 24 + (long) i * Long.BYTES, rest[i]);
    }
    try {
      return (int)
              push.invokeExact(
                  ring.descriptors(), ring.size(), ring.consumed(), position, put, order)
          != 0;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  /**
   * The fields of the descriptor at {@code position}, as C reads them; empty if it is not there.
   */
  long[] take(RingMemory ring, long position) {
    try {
      if ((int) take.invokeExact(ring.descriptors(), ring.size(), position, put) == 0) {
        return new long[0];
      }
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
    long[] fields = new long[11];
    for (int i = 0; i < 5; i++) {
      fields[i] = put.getAtIndex(INT, i);
    }
    for (int i = 0; i < 6; i++) {
      fields[5 + i] = put.get(LONG, 24 + (long) i * Long.BYTES);
    }
    return fields;
  }
}
