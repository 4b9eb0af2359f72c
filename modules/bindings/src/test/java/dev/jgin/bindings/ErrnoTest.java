// SPDX-License-Identifier: Apache-2.0
package dev.jgin.bindings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.junit.jupiter.api.Test;

class ErrnoTest {
  private static final int EBADF = 9;
  private static final int ENOMEM = 12;

  private static final MemorySegment CLOSE =
      Linker.nativeLinker().defaultLookup().findOrThrow("close");
  private static final FunctionDescriptor INT_OF_INT =
      FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT);

  @Test
  void shouldKeepErrnoOfACallByAddress() throws Throwable {
    MethodHandle close = Errno.capturing(CLOSE, INT_OF_INT);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = Errno.allocate(arena);
      assertEquals(-1, (int) close.invokeExact(state, -1));
      assertEquals(EBADF, Errno.get(state));
    }
  }

  @Test
  void shouldKeepErrnoOfACallThroughAPointer() throws Throwable {
    MethodHandle close = Errno.capturing(INT_OF_INT);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = Errno.allocate(arena);
      assertEquals(-1, (int) close.invokeExact(CLOSE, state, -1));
      assertEquals(EBADF, Errno.get(state));
    }
  }

  @Test
  void shouldDescribeByNameNumberAndWords() {
    assertEquals("ENOMEM (12): Cannot allocate memory", Errno.describe(ENOMEM));
  }

  @Test
  void shouldDescribeANumberThatHasNoName() {
    assertTrue(Errno.describe(54321).startsWith("errno 54321"), Errno.describe(54321));
  }
}
