// SPDX-License-Identifier: Apache-2.0
package dev.jgin.bindings;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** Functions of the C library, which every process has loaded. */
final class SystemLibrary {
  private SystemLibrary() {}

  /** A handle on {@code symbol}, or null if this C library has no such function. */
  // Descriptors are constants in this package, written beside the C prototype that they state.
  @SuppressWarnings("restricted")
  static MethodHandle find(String symbol, FunctionDescriptor descriptor, Linker.Option... options) {
    Linker linker = Linker.nativeLinker();
    return linker
        .defaultLookup()
        .find(symbol)
        .map(address -> linker.downcallHandle(address, descriptor, options))
        .orElse(null);
  }

  /** The text at a {@code char *}; empty for NULL. */
  // The C library ends its strings with a zero, so no length is known or needed.
  @SuppressWarnings("restricted")
  static String text(MemorySegment pointer) {
    return pointer.address() == 0 ? "" : pointer.reinterpret(Long.MAX_VALUE).getString(0);
  }
}
