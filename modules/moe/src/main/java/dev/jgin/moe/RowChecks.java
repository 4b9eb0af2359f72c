// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe;

import static dev.jgin.moe.layout.Words.INT;
import static dev.jgin.moe.layout.Words.LONG;

import dev.jgin.moe.check.Check;
import dev.jgin.moe.check.Checksum;
import dev.jgin.moe.layout.RowLayout;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/** The checks of one received row that need nothing but the row. Allocates nothing. */
final class RowChecks {
  private final RowLayout layout;
  private final int topK;
  private final int experts;
  private final int stream;
  private final boolean epochTag;
  private final boolean source;
  private final boolean tokenOrder;
  private final boolean expertIds;
  private final boolean checksum;
  private long seenEpoch;

  RowChecks(Geometry g, int stream) {
    Set<Check> on = g.config.checks();
    this.layout = g.row;
    this.topK = g.topK;
    this.experts = g.config.experts();
    this.stream = stream;
    this.epochTag = on.contains(Check.EPOCH_TAG);
    this.source = on.contains(Check.SOURCE);
    this.tokenOrder = on.contains(Check.TOKEN_ORDER);
    this.expertIds = on.contains(Check.EXPERT_IDS);
    this.checksum = g.config.audit() && on.contains(Check.CHECKSUM);
  }

  /** The first check that the row at {@code at} fails, or null. */
  Check judge(
      MemorySegment row,
      long at,
      boolean fresh,
      long epoch,
      int fromRank,
      int tokens,
      int lastToken) {
    seenEpoch = row.get(LONG, at + RowLayout.EPOCH);
    if (epochTag && (!fresh || seenEpoch != epoch)) {
      return Check.EPOCH_TAG;
    }
    int token = row.get(INT, at + RowLayout.SOURCE_TOKEN);
    if (source
        && (row.get(INT, at + RowLayout.SOURCE_RANK) != fromRank
            || row.get(INT, at + RowLayout.STREAM) != stream
            || row.get(INT, at + RowLayout.TOP_K) != topK
            || token < 0
            || token >= tokens)) {
      return Check.SOURCE;
    }
    if (tokenOrder && token <= lastToken) {
      return Check.TOKEN_ORDER;
    }
    if (expertIds && !idsInRange(row, at)) {
      return Check.EXPERT_IDS;
    }
    if (checksum && row.get(LONG, at + RowLayout.CHECKSUM) != checksum(layout, row, at)) {
      return Check.CHECKSUM;
    }
    return null;
  }

  /** The epoch of the row judged last, as it was then: the row may have arrived since. */
  long seenEpoch() {
    return seenEpoch;
  }

  private boolean idsInRange(MemorySegment row, long at) {
    for (int k = 0; k < topK; k++) {
      int id = row.get(INT, at + layout.idAt(k));
      if (id < -1 || id >= experts) {
        return false;
      }
    }
    return true;
  }

  /** The checksum of a row: of all its bytes but the checksum's own. */
  static long checksum(RowLayout layout, MemorySegment row, long at) {
    long head = Checksum.of(row, at, RowLayout.CHECKSUM, 0);
    long rest = RowLayout.CHECKSUM + Long.BYTES;
    return Checksum.of(row, at + rest, layout.bytes() - rest, head);
  }
}
