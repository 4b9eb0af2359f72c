// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.perf.loop;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;

/**
 * Where the messages of {@link PutStream} stand in the window, and which was the last to each
 * place: {@code contexts × depth} slots, each a multiple of 64 bytes long. What both ranks share.
 * While rank 0 sends, it alone uses this.
 */
public final class Slots {
  /** Most bytes of a window, unless two messages for each context need more. */
  static final long AMPLE = 256L << 20;

  private static final long LINE = 64;

  private final int contexts;
  private final int wantedDepth;
  private final List<Long> sizes;
  private long bytes;
  private int depth;
  private long[] last = {};
  private long next;

  /** Slots for messages of any of {@code sizes}. */
  public Slots(int contexts, int depth, List<Long> sizes) {
    this.contexts = contexts;
    this.wantedDepth = depth;
    this.sizes = List.copyOf(sizes);
  }

  /** Bytes of a window that has the slots of any of the sizes. */
  public long windowBytes() {
    long most = 0;
    for (long size : sizes) {
      most = Math.max(most, contexts * depth(contexts, wantedDepth, size) * stride(size));
    }
    return most;
  }

  /**
   * Puts outstanding on each of {@code contexts} with messages of {@code size}, if {@code wanted}
   * are asked for: fewer where their slots would exceed {@value #AMPLE} bytes in all, but two at
   * least.
   */
  public static long depth(int contexts, int wanted, long size) {
    return Math.clamp(AMPLE / contexts / stride(size), Math.min(2, wanted), wanted);
  }

  private static long stride(long size) {
    return Math.ceilDiv(size, LINE) * LINE;
  }

  void begin(long size) {
    bytes = size;
    depth = (int) depth(contexts, wantedDepth, size);
    last = new long[contexts * depth];
    Arrays.fill(last, -1);
  }

  long bytes() {
    return bytes;
  }

  int depth() {
    return depth;
  }

  int count() {
    return last.length;
  }

  int slot(int context, int index) {
    return context * depth + index;
  }

  long offset(int slot) {
    return slot * stride(bytes);
  }

  /** Takes the number of the next message, which goes to {@code slot}. */
  long sent(int slot) {
    last[slot] = next;
    return next++;
  }

  /** The number of the last message to {@code slot}, −1 if there was none. */
  long lastSent(int slot) {
    return last[slot];
  }

  long stampBytes() {
    return Math.min(Long.BYTES, bytes);
  }

  void stamp(MemorySegment memory, int slot, long number) {
    long at = offset(slot);
    if (bytes >= Long.BYTES) {
      memory.set(ValueLayout.JAVA_LONG, at, number);
      return;
    }
    for (int i = 0; i < bytes; i++) {
      memory.set(ValueLayout.JAVA_BYTE, at + i, (byte) (number >>> (8 * i)));
    }
  }

  boolean hasStamp(MemorySegment memory, int slot, long number) {
    long at = offset(slot);
    if (bytes >= Long.BYTES) {
      return memory.get(ValueLayout.JAVA_LONG, at) == number;
    }
    for (int i = 0; i < bytes; i++) {
      if (memory.get(ValueLayout.JAVA_BYTE, at + i) != (byte) (number >>> (8 * i))) {
        return false;
      }
    }
    return true;
  }
}
