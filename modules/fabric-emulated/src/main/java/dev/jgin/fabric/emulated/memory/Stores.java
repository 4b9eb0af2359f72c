// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.emulated.memory;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Stores with the ordering that a carrier promises. Stateless; allocates nothing. */
public final class Stores {

  private static final ValueLayout.OfLong WORD =
      ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LOOSE_WORD =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final long LINE = 64;
  private static final VarHandle LONG = WORD.varHandle();
  private static final VarHandle INT =
      ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN).varHandle();
  private static final VarHandle SHORT =
      ValueLayout.JAVA_SHORT.withOrder(ByteOrder.LITTLE_ENDIAN).varHandle();
  private static final VarHandle BYTE = ValueLayout.JAVA_BYTE.varHandle();

  private Stores() {}

  /**
   * Copies granule by granule, ascending; the last 8-byte word of each granule is stored last, with
   * release. A granule that the range covers only in part, without its last word, is stored plainly
   * and ordered before whatever follows. Overlapping ranges are not supported.
   */
  public static void copyGranules(
      MemorySegment from,
      long fromOffset,
      MemorySegment to,
      long toOffset,
      long bytes,
      int granule) {
    long end = toOffset + bytes;
    long shift = fromOffset - toOffset;
    long at = toOffset;
    while (at < end) {
      if (granule == LINE && (at & (LINE - 1)) == 0 && end - at >= LINE) {
        at = copyLines(from, shift, to, at, end & -LINE);
        continue;
      }
      long edge = (at & -granule) + granule;
      long last = edge - Long.BYTES;
      if (edge <= end && last >= at) {
        MemorySegment.copy(from, at + shift, to, at, last - at);
        LONG.setRelease(to, last, from.get(LOOSE_WORD, last + shift));
      } else {
        MemorySegment.copy(from, at + shift, to, at, Math.min(edge, end) - at);
      }
      at = edge;
    }
    // A partial last granule must not slip behind a later store of this lane.
    VarHandle.releaseFence();
  }

  /** Whole granules of the usual size: a constant length makes the copy half as long. */
  private static long copyLines(
      MemorySegment from, long shift, MemorySegment to, long start, long end) {
    for (long at = start; at < end; at += LINE) {
      MemorySegment.copy(from, at + shift, to, at, LINE - Long.BYTES);
      long last = at + LINE - Long.BYTES;
      LONG.setRelease(to, last, from.get(LOOSE_WORD, last + shift));
    }
    return end;
  }

  /** Stores the low {@code bytes} (1, 2, 4, 8) of {@code value} with release, little-endian. */
  public static void word(MemorySegment to, long offset, long value, int bytes) {
    switch (bytes) {
      case 8 -> LONG.setRelease(to, offset, value);
      case 4 -> INT.setRelease(to, offset, (int) value);
      case 2 -> SHORT.setRelease(to, offset, (short) value);
      case 1 -> BYTE.setRelease(to, offset, (byte) value);
      default -> throw new IllegalArgumentException("inline size " + bytes);
    }
  }

  /** Adds to an aligned 64-bit cell. */
  public static void add(MemorySegment to, long offset, long addend) {
    // Full volatile strength: it releases the writes before it and is exact among many adders.
    long _ = (long) LONG.getAndAdd(to, offset, addend);
  }
}
