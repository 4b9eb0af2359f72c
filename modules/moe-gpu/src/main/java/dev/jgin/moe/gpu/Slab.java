// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.gpu;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * One allocation that many fields of a struct point into: first laid out, then, when its address is
 * known, written into the struct. Parts begin at multiples of 256 bytes, as allocations of their
 * own would.
 */
final class Slab {
  private static final long ALIGNMENT = 256;

  /** Writes an address into its field of a struct. */
  @FunctionalInterface
  interface Field {
    void set(MemorySegment struct, long address);
  }

  private record Part(Field field, long offset) {}

  private final List<Part> parts = new ArrayList<>();
  private long bytes;

  /** Adds a part; returns its offset. A part of no bytes has an address all the same. */
  long add(Field field, long partBytes) {
    if (partBytes < 0) {
      throw new IllegalArgumentException(partBytes + " bytes of memory: the sizes are too large");
    }
    long offset = bytes;
    parts.add(new Part(field, offset));
    // Saturating: what is beyond a long is beyond every budget too.
    long end = offset + Math.max(partBytes, 1) + ALIGNMENT - 1;
    bytes = end < 0 ? Long.MAX_VALUE & -ALIGNMENT : end & -ALIGNMENT;
    return offset;
  }

  /** Bytes of all parts. */
  long bytes() {
    return bytes;
  }

  /** Writes the addresses of all parts into {@code struct}; the slab begins at {@code base}. */
  void fill(MemorySegment struct, long base) {
    for (Part part : parts) {
      part.field().set(struct, base + part.offset());
    }
  }
}
