// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.layout;

/** Rounding up to the alignments that layouts keep. Stateless. */
final class Align {
  /** Parts of a row begin at multiples of this many bytes: the widest load of a GPU thread. */
  static final long PART = 16;

  /** Rows and blocks begin at multiples of this many bytes: no two rows share a cache line. */
  static final long ROW = 128;

  private Align() {}

  static long part(long bytes) {
    return up(bytes, PART);
  }

  static long row(long bytes) {
    return up(bytes, ROW);
  }

  private static long up(long bytes, long alignment) {
    return Math.multiplyExact(Math.ceilDiv(bytes, alignment), alignment);
  }
}
