// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe;

import static dev.jgin.moe.layout.Words.FLOAT;
import static dev.jgin.moe.layout.Words.INT;
import static dev.jgin.moe.layout.Words.LONG;

import dev.jgin.moe.check.Check;
import dev.jgin.moe.layout.RowLayout;
import dev.jgin.moe.plan.ReceivePlan;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * Copies received rows to where the experts read them, and believes nothing that is in them. Runs
 * behind the barrier, a bounded number of rows per step; allocates only to report a violation.
 */
final class Epilogue {
  private final Geometry g;
  private final MemorySegment received;
  private final MemorySegment payload;
  private final MemorySegment scales;
  private final Origins origins;
  private final EpilogueReport report;
  private final Wire wire;
  private final RowChecks checks;
  private final boolean checkCursor;
  private final boolean checkEqual;
  private final boolean expanded;
  private final boolean needsOrdinal;
  private final long[] cursors;
  private final int[] rankSeen;

  private ReceivePlan plan;
  private int[] sourceTokens;
  private long epoch;
  private int source;
  private int slot;
  private int lastToken;
  private int next;
  private int entry;
  private int padded;
  private int stamp;
  private boolean sourceLeftOut;

  Epilogue(Geometry g, StreamBuffers buffers, Origins origins, EpilogueReport report, Arena arena) {
    this.g = g;
    this.received = buffers.receiveRows.local();
    this.payload = buffers.expertPayload;
    this.scales = buffers.expertScales;
    this.origins = origins;
    this.report = report;
    this.wire = new Wire(g.lines, g.row.bytes(), 1, arena);
    this.checks = new RowChecks(g, report.stream());
    this.checkCursor = g.config.checks().contains(Check.CURSOR_BOUND);
    this.checkEqual = g.config.checks().contains(Check.COUNTS_EQUAL);
    this.expanded = g.config.layout() == ExpertLayout.EXPANDED;
    this.needsOrdinal = g.config.combine() == CombineMode.REDUCED;
    this.cursors = new long[g.ranks * g.localExperts];
    this.rankSeen = new int[g.ranks];
  }

  /**
   * Begins with the rows of {@code epoch}, counted as in {@code epPlan}.
   *
   * @throws CapacityException if they are more than there is room for
   */
  void begin(EpPlan epPlan, long ofEpoch) {
    plan = epPlan.receive;
    sourceTokens = epPlan.sourceTokens;
    epoch = ofEpoch;
    long rows = expanded ? plan.totalRows() : plan.receivedRows();
    if (rows > g.expertRows) {
      throw new CapacityException(g.rank, epoch, rows, g.expertRows);
    }
    if (plan.receivedRows() > g.receivedRows) {
      throw new CapacityException(g.rank, epoch, plan.receivedRows(), g.receivedRows);
    }
    for (int s = 0; s < g.ranks; s++) {
      for (int e = 0; e < g.localExperts; e++) {
        cursors[s * g.localExperts + e] = plan.first(s, e);
      }
    }
    report.begin(epPlan, epoch);
    source = 0;
    slot = 0;
    lastToken = -1;
    next = 0;
    entry = 0;
    padded = 0;
    sourceLeftOut = false;
  }

  /** Copies up to {@code rows} rows; true when there are no more. */
  boolean step(int rows) {
    int left = rows;
    while (source < g.ranks) {
      int count = plan.rows(source);
      for (; slot < count && left > 0; slot++, left--) {
        copyRow();
      }
      if (slot < count) {
        return false;
      }
      endSource();
    }
    origins.rowsStart[next] = entry;
    while (expanded && padded < g.localExperts) {
      clear(plan.start(padded) + plan.expertRows(padded), plan.start(padded + 1));
      padded++;
      if (--left <= 0) {
        return false;
      }
    }
    return true;
  }

  private void copyRow() {
    int row = next++;
    origins.rowsStart[row] = entry;
    long offset = g.receivedAt(epoch, source, slot);
    boolean fresh = wire.open(0, received, offset, g.row.bytes(), epoch);
    MemorySegment from = wire.segment();
    long at = wire.at(0);
    Check failed = checks.judge(from, at, fresh, epoch, source, sourceTokens[source], lastToken);
    if (failed != null) {
      leaveOut(row, failed);
      return;
    }
    lastToken = from.get(INT, at + RowLayout.SOURCE_TOKEN);
    origins.source[row] = source;
    origins.token[row] = lastToken;
    if (needsOrdinal) {
      findFirstLane(row, from, at);
    }
    if (expanded) {
      copyToExperts(row, from, at);
    } else {
      copyOnce(row, from, at);
    }
  }

  private void leaveOut(int row, Check failed) {
    sourceLeftOut = true;
    origins.source[row] = Origins.NOBODY;
    origins.token[row] = Origins.NOBODY;
    if (!expanded) {
      clear(row, row + 1L);
      Arrays.fill(
          origins.localExpert,
          origins.laneIndex(row, 0),
          origins.laneIndex(row + 1, 0),
          Origins.NOBODY);
    }
    report.failed(failed, source, slot, checks.seenEpoch());
  }

  private void copyToExperts(int row, MemorySegment from, long at) {
    for (int k = 0; k < g.topK; k++) {
      int local = from.get(INT, at + g.row.idAt(k)) - g.firstExpert;
      if (local < 0 || local >= g.localExperts) {
        continue;
      }
      int cursor = source * g.localExperts + local;
      long to = cursors[cursor];
      // Before the store: past its bound stand the rows of another source or expert.
      if (checkCursor && to >= plan.bound(source, local)) {
        report.failed(Check.CURSOR_BOUND, source, slot, checks.seenEpoch());
        continue;
      }
      cursors[cursor] = to + 1;
      int target = (int) to;
      origins.received[target] = row;
      origins.lane[target] = k;
      origins.weight[target] = from.get(FLOAT, at + g.row.weightAt(k));
      origins.rows[entry++] = target;
      copyPayload(from, at, to);
    }
  }

  private void copyOnce(int row, MemorySegment from, long at) {
    for (int k = 0; k < g.topK; k++) {
      int local = from.get(INT, at + g.row.idAt(k)) - g.firstExpert;
      int index = origins.laneIndex(row, k);
      origins.localExpert[index] = Origins.NOBODY;
      origins.laneWeight[index] = 0f;
      if (local < 0 || local >= g.localExperts) {
        continue;
      }
      int cursor = source * g.localExperts + local;
      if (checkCursor && cursors[cursor] >= plan.bound(source, local)) {
        report.failed(Check.CURSOR_BOUND, source, slot, checks.seenEpoch());
        continue;
      }
      cursors[cursor]++;
      origins.localExpert[index] = local;
      origins.laneWeight[index] = from.get(FLOAT, at + g.row.weightAt(k));
    }
    origins.received[row] = row;
    copyPayload(from, at, row);
  }

  private void copyPayload(MemorySegment from, long at, long to) {
    long bytes = g.row.payloadBytes();
    MemorySegment.copy(from, at + g.row.payloadAt(), payload, to * bytes, bytes);
    long scaleBytes = g.row.scaleBytes();
    if (scaleBytes != 0) {
      MemorySegment.copy(from, at + g.row.scalesAt(), scales, to * scaleBytes, scaleBytes);
    }
  }

  // The place of this rank among the ranks of the token, in order of first lane: it is where the
  // partial sum returns to.
  private void findFirstLane(int row, MemorySegment from, long at) {
    stamp++;
    int others = 0;
    for (int k = 0; k < g.topK; k++) {
      int id = from.get(INT, at + g.row.idAt(k));
      if (id < 0 || id >= g.config.experts()) {
        continue;
      }
      int owner = g.placement.owner(id);
      if (owner == g.rank) {
        origins.firstLane[row] = k;
        origins.ordinal[row] = others;
        return;
      }
      if (rankSeen[owner] != stamp) {
        rankSeen[owner] = stamp;
        others++;
      }
    }
    // Only a row that should not have been sent here, with its checks switched off.
    origins.firstLane[row] = 0;
    origins.ordinal[row] = 0;
  }

  private void endSource() {
    for (int e = 0; e < g.localExperts; e++) {
      long to = cursors[source * g.localExperts + e];
      long bound = plan.bound(source, e);
      if (checkEqual && to < bound) {
        if (expanded) {
          clear(to, bound);
        }
        if (!sourceLeftOut) {
          report.failed(Check.COUNTS_EQUAL, source, plan.rows(source), epoch);
        }
      }
    }
    source++;
    slot = 0;
    lastToken = -1;
    sourceLeftOut = false;
  }

  private void clear(long fromRow, long toRow) {
    long rows = toRow - fromRow;
    if (rows <= 0) {
      return;
    }
    zero(payload, fromRow * g.row.payloadBytes(), rows * g.row.payloadBytes());
    zero(scales, fromRow * g.row.scaleBytes(), rows * g.row.scaleBytes());
    Arrays.fill(origins.received, (int) fromRow, (int) toRow, Origins.NOBODY);
  }

  private static void zero(MemorySegment segment, long offset, long bytes) {
    long i = 0;
    for (; i + 8 <= bytes; i += 8) {
      segment.set(LONG, offset + i, 0L);
    }
    for (; i < bytes; i++) {
      segment.set(ValueLayout.JAVA_BYTE, offset + i, (byte) 0);
    }
  }
}
