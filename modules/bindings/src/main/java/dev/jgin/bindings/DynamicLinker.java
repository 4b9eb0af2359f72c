// SPDX-License-Identifier: Apache-2.0
package dev.jgin.bindings;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * Asks the dynamic linker why a library does not load. The JDK keeps that to itself ("Cannot open
 * library"), and the answers need different remedies: no such file, a wrong architecture, or a
 * dependency that is missing or too old.
 */
final class DynamicLinker {
  private static final int RTLD_LAZY = 1;

  private DynamicLinker() {}

  /** The linker's words on {@code library}, which failed to load just now. */
  static String explain(String library) {
    MethodHandle open =
        SystemLibrary.find(
            "dlopen",
            FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.JAVA_INT));
    MethodHandle error = SystemLibrary.find("dlerror", FunctionDescriptor.of(ValueLayout.ADDRESS));
    if (open == null || error == null) {
      return "the dynamic linker of this system cannot be asked why";
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment handle =
          (MemorySegment) open.invokeExact(arena.allocateFrom(library), RTLD_LAZY);
      if (handle.address() != 0) {
        return "it loads now, but did not a moment ago";
      }
      return SystemLibrary.text((MemorySegment) error.invokeExact());
    } catch (Throwable e) {
      throw new AssertionError("dlopen and dlerror throw nothing", e);
    }
  }
}
