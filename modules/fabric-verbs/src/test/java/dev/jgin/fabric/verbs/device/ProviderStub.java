// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.verbs.device;

import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * A library with the two hot functions of a provider and no device, compiled on the spot under the
 * name that a provider would have. Either function reports that it was entered, then waits until it
 * is released or a limit has passed, and reports which of the two came first.
 */
final class ProviderStub {

  private static final String SOURCE =
      """
      #include <stdint.h>
      #include <time.h>
      struct control { int64_t entered, released, limit, saw, argument; };
      static int64_t now(void) {
        struct timespec t;
        clock_gettime(CLOCK_MONOTONIC, &t);
        return t.tv_sec * 1000000000LL + t.tv_nsec;
      }
      static void visit(struct control *c) {
        int64_t end = now() + c->limit;
        int64_t released;
        __atomic_store_n(&c->entered, 1, __ATOMIC_SEQ_CST);
        while (!(released = __atomic_load_n(&c->released, __ATOMIC_SEQ_CST)) && now() < end) {}
        c->saw = released;
      }
      int post_send(void *pair, void *chain, void **bad) {
        visit(pair);
        *bad = chain;
        return 12;
      }
      int poll_cq(void *queue, int most, void *into) {
        visit(queue);
        ((struct control *)queue)->argument = most;
        *(int64_t *)into = 7;
        return 3;
      }
      /* As little as a call can do. */
      int post_nothing(void *pair, void *chain, void **bad) { return 0; }
      int poll_nothing(void *queue, int most, void *into) { return 0; }
      """;

  private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();
  private static final int CONTROL_BYTES = 5 * Long.BYTES;
  private static final String CC = System.getenv().getOrDefault("CC", "cc");

  private final SymbolLookup symbols;
  final MemorySegment control;
  final MemorySegment result;
  final MemorySegment chain;

  private ProviderStub(SymbolLookup symbols, Arena arena) {
    this.symbols = symbols;
    control = arena.allocate(CONTROL_BYTES, 8);
    result = arena.allocate(8, 8);
    chain = arena.allocate(128, 8);
  }

  /**
   * Compiles it as {@code folder/file}; where there is no compiler that is a failure in CI alone.
   */
  // The library is the one compiled a line above.
  @SuppressWarnings("restricted")
  static ProviderStub load(Path folder, String file, Arena arena) throws Exception {
    Path source = Files.writeString(folder.resolve("provider.c"), SOURCE);
    Path library = folder.resolve(file);
    Process compiler;
    try {
      compiler =
          new ProcessBuilder(
                  CC, "-O1", "-shared", "-fPIC", "-o", library.toString(), source.toString())
              .inheritIO()
              .start();
    } catch (IOException e) {
      assumeFalse(!"true".equals(System.getenv("CI")), "no C compiler: " + e.getMessage());
      throw new AssertionError("no C compiler, and CI asks for everything", e);
    }
    if (!compiler.waitFor(60, TimeUnit.SECONDS) || compiler.exitValue() != 0) {
      throw new AssertionError(CC + " does not compile the stub");
    }
    return new ProviderStub(SymbolLookup.libraryLookup(library, arena), arena);
  }

  HotCalls calls(CriticalMode mode) {
    return new HotCalls(function("post_send"), function("poll_cq"), mode);
  }

  MemorySegment function(String name) {
    return symbols.findOrThrow(name);
  }

  /** Before a call: the limit in nanoseconds, and whether it is released from the start. */
  void arm(long limitNanos, boolean released) {
    control.fill((byte) 0);
    control.setAtIndex(ValueLayout.JAVA_LONG, 2, limitNanos);
    LONG.setVolatile(control, 8L, released ? 1L : 0L);
  }

  void awaitEntered() {
    while ((long) LONG.getVolatile(control, 0L) == 0) {
      Thread.onSpinWait();
    }
  }

  void release() {
    LONG.setVolatile(control, 8L, 1L);
  }

  /** Whether the last call ended because it was released. */
  boolean sawRelease() {
    return control.getAtIndex(ValueLayout.JAVA_LONG, 3) == 1;
  }

  long argument() {
    return control.getAtIndex(ValueLayout.JAVA_LONG, 4);
  }
}
