// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.perf.loop;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Bytes that a key determines and that differ for every key and place: a message that is not here,
 * is only half here, or is of another round, differs from the one expected. Stateless.
 */
final class Pattern {
  private static final ValueLayout.OfLong WORD =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private Pattern() {}

  /** The key of message {@code number} that {@code rank} sends. */
  static long key(long seed, int rank, long number) {
    return mixed(mixed(seed + rank) + number);
  }

  private static long mixed(long x) {
    // The finalizer of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
    long z = x + 0x9e3779b97f4a7c15L;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }

  private static long word(long key, long index) {
    return mixed(key + index);
  }

  private static byte byteAt(long key, long at) {
    return (byte) (word(key, at >>> 3) >>> ((at & 7) << 3));
  }

  /** Writes {@code bytes} bytes of {@code key} from {@code offset} on. */
  static void fill(MemorySegment to, long offset, long bytes, long key) {
    long at = 0;
    for (; at + Long.BYTES <= bytes; at += Long.BYTES) {
      to.set(WORD, offset + at, word(key, at >>> 3));
    }
    for (; at < bytes; at++) {
      to.set(ValueLayout.JAVA_BYTE, offset + at, byteAt(key, at));
    }
  }

  /**
   * Compares places {@code from} to {@code until} of a message that begins at {@code offset}.
   *
   * @return how many bytes differ
   */
  static long differing(MemorySegment in, long offset, long from, long until, long key) {
    long wrong = 0;
    long at = from;
    while (at < until) {
      if ((at & 7) == 0 && at + Long.BYTES <= until) {
        if (in.get(WORD, offset + at) == word(key, at >>> 3)) {
          at += Long.BYTES;
          continue;
        }
      }
      if (in.get(ValueLayout.JAVA_BYTE, offset + at) != byteAt(key, at)) {
        wrong++;
      }
      at++;
    }
    return wrong;
  }

  /** The first place from {@code from} to {@code until} that differs, or {@code until}. */
  static long firstDiffering(MemorySegment in, long offset, long from, long until, long key) {
    for (long at = from; at < until; at++) {
      if (in.get(ValueLayout.JAVA_BYTE, offset + at) != byteAt(key, at)) {
        return at;
      }
    }
    return until;
  }
}
