// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe;

import static dev.jgin.moe.layout.Words.INT;
import static dev.jgin.moe.layout.Words.LONG;

import dev.jgin.moe.check.Check;
import dev.jgin.moe.check.Checksum;
import dev.jgin.moe.check.Symptom;
import dev.jgin.moe.check.Violation;
import dev.jgin.moe.layout.CombineLayout;
import dev.jgin.moe.plan.SendPlan;
import dev.jgin.moe.routing.Routing;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Sums what returned for each token, after checking each row. Allocates only to report a violation;
 * a row that failed adds nothing.
 */
final class Reducer {
  private final Geometry g;
  private final MemorySegment received;
  private final MemorySegment output;
  private final ViolationLog log;
  private final int stream;
  private final int contexts;
  private final Wire wire;
  private final PartialSums sums;
  private final boolean canonical;
  private final boolean checkEpoch;
  private final boolean checkSource;
  private final boolean checkSum;
  private int open;
  private long seenEpoch;

  Reducer(
      Geometry g, StreamBuffers buffers, ViolationLog log, int stream, int contexts, Arena arena) {
    this.g = g;
    this.received = buffers.receiveReturns.local();
    this.output = buffers.output;
    this.log = log;
    this.stream = stream;
    this.contexts = contexts;
    this.wire = new Wire(g.lines, g.combine.bytes(), g.lanes, arena);
    this.sums = new PartialSums(g.config.combineDtype(), g.config.hidden(), g.lanes);
    this.canonical = g.config.combine() == CombineMode.CANONICAL;
    this.checkEpoch = g.config.checks().contains(Check.EPOCH_TAG);
    this.checkSource = g.config.checks().contains(Check.SOURCE);
    this.checkSum = g.config.audit() && g.config.checks().contains(Check.CHECKSUM);
  }

  /** Writes the output row of {@code token}. */
  void reduce(SendPlan send, int token, long epoch) {
    sums.begin();
    open = 0;
    if (canonical) {
      for (int k = 0; k < g.topK; k++) {
        int id = send.id(token, k);
        if (id != Routing.MASKED) {
          take(token, k, g.placement.owner(id), k, send.weight(token, k), epoch);
        }
      }
    } else {
      int first = send.firstEntry(token);
      for (int entry = first; entry < send.firstEntry(token + 1); entry++) {
        take(token, entry - first, send.rank(entry), send.firstLane(entry), 1f, epoch);
      }
    }
    sums.store(wire.segment(), output, token * g.config.combineBytes());
  }

  private void take(int token, int place, int peer, int lane, float weight, long epoch) {
    long slot = (long) token * g.lanes + place;
    boolean fresh = wire.open(open, received, g.returnedAt(epoch, slot), g.combine.bytes(), epoch);
    long at = wire.at(open);
    Check failed = judge(wire.segment(), at, fresh, epoch, token, peer, lane);
    if (failed != null) {
      report(failed, slot, at, epoch, token, peer, lane);
      return;
    }
    open++;
    sums.add(at, weight);
  }

  private Check judge(
      MemorySegment row, long at, boolean fresh, long epoch, int token, int peer, int lane) {
    seenEpoch = row.get(LONG, at + CombineLayout.EPOCH);
    if (checkEpoch && (!fresh || seenEpoch != epoch)) {
      return Check.EPOCH_TAG;
    }
    if (checkSource
        && (row.get(INT, at + CombineLayout.RANK) != peer
            || row.get(INT, at + CombineLayout.TOKEN) != token
            || row.get(INT, at + CombineLayout.LANE) != lane
            || row.get(INT, at + CombineLayout.STREAM) != stream)) {
      return Check.SOURCE;
    }
    if (checkSum && row.get(LONG, at + CombineLayout.CHECKSUM) != checksum(g.combine, row, at)) {
      return Check.CHECKSUM;
    }
    return null;
  }

  private void report(Check failed, long slot, long at, long epoch, int token, int peer, int lane) {
    MemorySegment row = wire.segment();
    Symptom symptom =
        switch (failed) {
          case EPOCH_TAG -> seenEpoch == epoch ? Symptom.TORN : Symptom.MISSING;
          case SOURCE -> Symptom.PHANTOM;
          default -> Symptom.TORN;
        };
    log.report(
        List.of(
            new Violation(
                symptom,
                failed,
                g.rank,
                peer,
                Geometry.context(slot, g.rank, epoch, contexts),
                slot,
                epoch,
                seenEpoch,
                "combine, stream "
                    + stream
                    + ": expected lane "
                    + lane
                    + " of token "
                    + token
                    + ", the row says lane "
                    + row.get(INT, at + CombineLayout.LANE)
                    + " of token "
                    + row.get(INT, at + CombineLayout.TOKEN)
                    + " from rank "
                    + row.get(INT, at + CombineLayout.RANK))));
  }

  /** The checksum of a returned row: of all its bytes but the checksum's own. */
  static long checksum(CombineLayout layout, MemorySegment row, long at) {
    long head = Checksum.of(row, at, CombineLayout.CHECKSUM, 0);
    long rest = CombineLayout.CHECKSUM + Long.BYTES;
    return Checksum.of(row, at + rest, layout.bytes() - rest, head);
  }
}
