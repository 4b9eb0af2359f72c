// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.check;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * A 64-bit checksum of a range of whole 8-byte words: the rounds of xxHash64 over four independent
 * accumulators. Not cryptographic. A change of one word always changes the result; a change of
 * several goes unnoticed with a probability of about 2<sup>-64</sup>. Stateless.
 */
public final class Checksum {
  private static final ValueLayout.OfLong WORD =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private static final long P1 = 0x9E37_79B1_85EB_CA87L;
  private static final long P2 = 0xC2B2_AE3D_27D4_EB4FL;
  private static final long P3 = 0x1656_67B1_9E37_79F9L;
  private static final long P4 = 0x85EB_CA77_C2B2_AE63L;

  private Checksum() {}

  /**
   * The checksum of {@code bytes} bytes, a multiple of 8, that begin at {@code offset}.
   *
   * @param seed the checksum of what stands before, or any constant
   */
  public static long of(MemorySegment segment, long offset, long bytes, long seed) {
    long a = seed + P1;
    long b = seed ^ P2;
    long c = seed + P3;
    long d = seed ^ P4;
    long i = 0;
    for (; i + 32 <= bytes; i += 32) {
      a = round(a, segment.get(WORD, offset + i));
      b = round(b, segment.get(WORD, offset + i + 8));
      c = round(c, segment.get(WORD, offset + i + 16));
      d = round(d, segment.get(WORD, offset + i + 24));
    }
    for (; i < bytes; i += 8) {
      a = round(a, segment.get(WORD, offset + i));
    }
    return mix(mix(mix(mix(bytes, a), b), c), d);
  }

  /** Folds one more word into a checksum. */
  public static long mix(long checksum, long word) {
    long h = (checksum ^ round(0, word)) * P1 + P4;
    h ^= h >>> 33;
    h *= P2;
    h ^= h >>> 29;
    return h;
  }

  // The rotation matters: without it the top bits of two words (two flipped signs) could cancel.
  private static long round(long accumulator, long word) {
    return Long.rotateLeft(accumulator + word * P2, 31) * P1;
  }
}
