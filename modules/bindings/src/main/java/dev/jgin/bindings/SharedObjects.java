// SPDX-License-Identifier: Apache-2.0
package dev.jgin.bindings;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/** Which library of this process an address belongs to. Thread-safe. */
public final class SharedObjects {

  /** {@code int dladdr(const void *, Dl_info *)}. */
  private static final MethodHandle DLADDR =
      SystemLibrary.find(
          "dladdr",
          FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS));

  /** {@code Dl_info}: four pointers, of which the first is the path. */
  private static final long INFO_BYTES = 4 * ValueLayout.ADDRESS.byteSize();

  private SharedObjects() {}

  /**
   * The path by which the dynamic linker loaded the code at {@code function}, links not followed;
   * empty where it knows none, or this C library cannot be asked.
   */
  public static Optional<String> pathOf(MemorySegment function) {
    if (DLADDR == null || function.address() == 0) {
      return Optional.empty();
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment info = arena.allocate(INFO_BYTES, ValueLayout.ADDRESS.byteAlignment());
      if ((int) DLADDR.invokeExact(function, info) == 0) {
        return Optional.empty();
      }
      String path = SystemLibrary.text(info.get(ValueLayout.ADDRESS, 0));
      return path.isEmpty() ? Optional.empty() : Optional.of(path);
    } catch (Throwable e) {
      throw new AssertionError("dladdr throws nothing", e);
    }
  }
}
