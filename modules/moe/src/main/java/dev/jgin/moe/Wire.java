// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe;

import dev.jgin.gin.TaggedLines;
import dev.jgin.gin.Window;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Rows as they stand on the wire: as they are, or in tagged lines. A received row is opened before
 * it is read: that gives the segment and offset of its plain bytes, which are the received ones
 * themselves unless they are tagged. Several rows may be open at once. One thread at a time.
 */
final class Wire {
  private final TaggedLines lines;
  private final MemorySegment scratch;
  private final long scratchStride;
  private final long[] openAt;
  private MemorySegment segment;

  /** Rows of up to {@code rawBytes}, of which {@code open} are open at once. */
  Wire(TaggedLines lines, long rawBytes, int open, Arena arena) {
    this.lines = lines;
    this.scratchStride = rawBytes;
    this.scratch =
        lines == null || open == 0 ? MemorySegment.NULL : arena.allocate(rawBytes * open, 16);
    this.openAt = new long[open];
  }

  /** Makes the row at {@code offset} of {@code raw} ready to be sent from {@code window}. */
  void seal(MemorySegment raw, long offset, long rawBytes, Window window, long tag) {
    if (lines != null) {
      lines.encode(raw, offset, rawBytes, window.local(), offset, tag);
    }
  }

  /** Whether every line of a received row is of {@code tag}; true if rows are not tagged. */
  boolean fresh(MemorySegment received, long offset, long rawBytes, long tag) {
    return lines == null || lines.fresh(received, offset, rawBytes, tag);
  }

  /**
   * Opens a received row as number {@code index}. All open rows must be of one segment.
   *
   * @return whether every line is of {@code tag}; true if rows are not tagged
   */
  boolean open(int index, MemorySegment received, long offset, long rawBytes, long tag) {
    if (lines == null) {
      segment = received;
      openAt[index] = offset;
      return true;
    }
    segment = scratch;
    openAt[index] = index * scratchStride;
    return lines.decode(received, offset, 0, rawBytes, scratch, openAt[index], tag);
  }

  /** The segment of the rows opened last. */
  MemorySegment segment() {
    return segment;
  }

  /** Where in {@link #segment} open row {@code index} begins. */
  long at(int index) {
    return openAt[index];
  }
}
