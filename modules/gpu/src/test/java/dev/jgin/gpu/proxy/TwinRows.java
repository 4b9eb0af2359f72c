// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gpu.proxy;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * What rows of the GPU twins look like: lines of 64 bytes, each word a function of operation,
 * epoch, source, target, slot and place, the last word of a line the epoch.
 *
 * <p>Send windows are [target][slot], receive windows [epoch parity][source][slot]. How many rows
 * go from whom to whom is a function too, so that both sides know it.
 */
record TwinRows(int ranks, int slots, int lines) {
  static final long LINE = 64;
  private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();

  long rowBytes() {
    return lines * LINE;
  }

  long sendBytes() {
    return (long) ranks * slots * rowBytes();
  }

  long receiveBytes() {
    return 2 * sendBytes();
  }

  long sendAt(int target, int slot) {
    return ((long) target * slots + slot) * rowBytes();
  }

  long receiveAt(long epoch, int source, int slot) {
    return (((epoch & 1) * ranks + source) * slots + slot) * rowBytes();
  }

  /** 8 bytes for each epoch parity and source. */
  long countAt(long epoch, int source) {
    return ((epoch & 1) * ranks + source) * Long.BYTES;
  }

  /** Rows from {@code source} to {@code target}, 0 to {@code slots}. */
  int rows(int kind, long epoch, int source, int target) {
    return (int) (mix(kind, epoch, source, target, 0) % (slots + 1));
  }

  /** What a count cell holds: all of its 64 bits matter. */
  long count(int kind, long epoch, int source, int target) {
    return mix(kind, epoch, source, target, 1) << 1 | (epoch & 1);
  }

  void write(MemorySegment send, int kind, long epoch, int source, int target, int slot) {
    long at = sendAt(target, slot);
    for (long w = 0; w < rowBytes() / Long.BYTES; w++) {
      send.set(
          ValueLayout.JAVA_LONG, at + w * Long.BYTES, word(kind, epoch, source, target, slot, w));
    }
  }

  /** Words of a received row that are not what they should be. */
  long wrong(MemorySegment receive, int kind, long epoch, int source, int target, int slot) {
    long wrong = 0;
    long at = receiveAt(epoch, source, slot);
    for (long w = rowBytes() / Long.BYTES - 1; w >= 0; w--) {
      // From the back, and with acquire: the tag of a line is read before the rest of it.
      long seen = (long) WORD.getAcquire(receive, at + w * Long.BYTES);
      wrong += seen == word(kind, epoch, source, target, slot, w) ? 0 : 1;
    }
    return wrong;
  }

  /** Whether each line of a received row has the tag of the epoch. */
  boolean fresh(MemorySegment receive, long epoch, int source, int slot) {
    long at = receiveAt(epoch, source, slot);
    for (long end = LINE; end <= rowBytes(); end += LINE) {
      if ((long) WORD.getAcquire(receive, at + end - Long.BYTES) != epoch) {
        return false;
      }
    }
    return true;
  }

  private static long word(int kind, long epoch, int source, int target, int slot, long w) {
    boolean tag = w % (LINE / Long.BYTES) == LINE / Long.BYTES - 1;
    return tag ? epoch : mix(kind, epoch, source, target, slot * 1_000L + w);
  }

  private static long mix(long kind, long epoch, long source, long target, long more) {
    long x = kind + 31 * (epoch + 31 * (source + 31 * (target + 31 * more)));
    x = (x ^ x >>> 31) * 0x9E37_79B9_7F4A_7C15L;
    x = (x ^ x >>> 29) * 0xBF58_476D_1CE4_E5B9L;
    return (x ^ x >>> 32) >>> 1;
  }
}
