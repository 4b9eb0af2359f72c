// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.emulated.lane;

import java.lang.foreign.MemorySegment;

/** One operation of a lane, from posting until it is complete and visible; reused afterwards. */
final class LaneOp {

  OpKind kind;

  /** Whether {@link #from} is the value itself rather than an offset. */
  boolean inline;

  int fromRegion;
  int toRegion;
  long from;
  long to;
  long bytes;
  long packets;

  /** The bytes as they were when the operation left; null before and after. */
  MemorySegment payload;

  /** Where pieces begin, relative to {@link #to}; entry {@link #pieces} is the end. */
  final long[] cut;

  int pieces;

  /** Bit p: piece p has taken effect. */
  private long landed;

  LaneOp(int maxPieces) {
    cut = new long[maxPieces + 1];
  }

  void post(OpKind newKind, boolean isInline, int newFromRegion, long newFrom) {
    kind = newKind;
    inline = isInline;
    fromRegion = newFromRegion;
    from = newFrom;
    pieces = 0;
    landed = 0;
  }

  void target(int region, long offset, long size, long packetCount) {
    toRegion = region;
    to = offset;
    bytes = size;
    packets = packetCount;
  }

  boolean hasLanded(int piece) {
    return (landed >>> piece & 1) != 0;
  }

  void land(int piece) {
    landed |= 1L << piece;
  }

  boolean allLanded() {
    return landed == (1L << pieces) - 1;
  }

  /** The first piece that has not taken effect. */
  int firstOpenPiece() {
    return Long.numberOfTrailingZeros(~landed);
  }

  /** Whatever has not taken effect never will. */
  void drop() {
    landed = (1L << pieces) - 1;
  }

  /** Splits a write of {@link #bytes} into pieces at granule boundaries. */
  void split(LaneRules rules, Seeded random) {
    if (inline || kind == OpKind.READ || kind == OpKind.ATOMIC) {
      pieces = 1;
      cut[0] = 0;
      cut[1] = bytes;
      return;
    }
    if (bytes == 0) {
      pieces = 0;
      return;
    }
    long granule = rules.granule();
    long first = to / granule;
    long granules = (to + bytes - 1) / granule - first + 1;
    boolean exact = granules <= rules.maxPieces();
    pieces = (int) (exact ? granules : 1 + random.below(rules.maxPieces()));
    cut[0] = 0;
    for (int p = 1; p < pieces; p++) {
      long at = exact ? p : p * granules / pieces + random.below(granules / pieces);
      cut[p] = (first + at) * granule - to;
    }
    cut[pieces] = bytes;
  }
}
