// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.verbs.device;

import java.lang.foreign.MemorySegment;

/** Native structs of the library, whose extent only the library knows. */
final class Unbounded {

  private Unbounded() {}

  /** The memory at a pointer that the library gave, without a bound. */
  // The callers read only structs that the library documents to be there.
  @SuppressWarnings("restricted")
  static MemorySegment of(MemorySegment pointer) {
    return pointer.reinterpret(Long.MAX_VALUE);
  }
}
