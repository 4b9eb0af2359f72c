// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.emulated.lane;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** Buffers of one lane for bytes in flight: grows to what was needed at once, then stays. */
final class PayloadPool {

  private final List<MemorySegment> free = new ArrayList<>();

  /** A buffer of at least {@code bytes}. */
  MemorySegment take(long bytes) {
    MemorySegment last = free.isEmpty() ? null : free.removeLast();
    if (last != null && last.byteSize() >= bytes) {
      return last;
    }
    // Longs, because the words of a granule are loaded whole.
    long words = Long.highestOneBit(Math.max(bytes, 32) - 1) * 2 / Long.BYTES;
    return MemorySegment.ofArray(new long[Math.toIntExact(words)]);
  }

  void give(MemorySegment buffer) {
    free.add(buffer);
  }
}
