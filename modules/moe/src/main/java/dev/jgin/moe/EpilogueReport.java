// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe;

import static dev.jgin.moe.layout.Words.INT;
import static dev.jgin.moe.layout.Words.LONG;

import dev.jgin.moe.check.Check;
import dev.jgin.moe.check.Forensics;
import dev.jgin.moe.check.ReceivedRows;
import dev.jgin.moe.check.Symptom;
import dev.jgin.moe.check.Violation;
import dev.jgin.moe.layout.RowLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Turns a failed check of the epilogue into violations: the row that failed, and once per dispatch
 * what {@link Forensics} makes of all rows. The slow path; allocates freely.
 */
final class EpilogueReport implements ReceivedRows {
  private final Geometry g;
  private final ViolationLog log;
  private final int stream;
  private final int contexts;
  private final MemorySegment received;
  private final Wire wire;
  private EpPlan plan;
  private long epoch;
  private boolean examined;

  EpilogueReport(
      Geometry g, StreamBuffers buffers, ViolationLog log, int stream, int contexts, Arena arena) {
    this.g = g;
    this.log = log;
    this.stream = stream;
    this.contexts = contexts;
    this.received = buffers.receiveRows.local();
    this.wire = new Wire(g.lines, g.row.bytes(), 1, arena);
  }

  int stream() {
    return stream;
  }

  void begin(EpPlan ofPlan, long ofEpoch) {
    plan = ofPlan;
    epoch = ofEpoch;
    examined = false;
  }

  /**
   * Reports that {@code check} failed on the row of {@code source} in {@code slot}, or, in the slot
   * behind the last, on all of them; {@code seenEpoch} is what the check saw.
   */
  void failed(Check check, int source, int slot, long seenEpoch) {
    List<Violation> found = new ArrayList<>();
    String operation = "dispatch, stream " + stream;
    if (!examined) {
      examined = true;
      found.addAll(
          new Forensics(
                  new Forensics.Scene(
                      g.rank,
                      g.firstExpert,
                      g.topK,
                      g.config.experts(),
                      g.expertRows,
                      g.config.layout() == ExpertLayout.EXPANDED,
                      epoch,
                      operation),
                  plan.receive,
                  this)
              .examine());
    }
    Violation seen =
        slot < plan.receive.rows(source)
            ? ofRow(check, source, slot, seenEpoch, operation)
            : ofCounts(source, operation);
    // Forensics says the same with more detail, if it says it.
    Violation first = found.stream().filter(seen::sameFinding).findFirst().orElse(seen);
    found.remove(first);
    found.addFirst(first);
    log.report(found);
  }

  private Violation ofRow(Check check, int source, int slot, long seenEpoch, String operation) {
    Symptom symptom =
        switch (check) {
          case EPOCH_TAG -> seenEpoch == epoch ? Symptom.TORN : Symptom.MISSING;
          case SOURCE -> Symptom.PHANTOM;
          case CURSOR_BOUND ->
              namesUncounted(source, slot) ? Symptom.PHANTOM : Symptom.DOUBLE_ASSIGNED;
          case TOKEN_ORDER -> Symptom.DOUBLE_ASSIGNED;
          case EXPERT_IDS -> Symptom.OUT_OF_BOUNDS;
          default -> Symptom.TORN;
        };
    return new Violation(
        symptom,
        check,
        g.rank,
        source,
        context(source, slot),
        slot,
        epoch,
        seenEpoch,
        operation
            + ": the row says token "
            + token(source, slot)
            + " of rank "
            + sourceRank(source, slot));
  }

  // An expert named too often, but counted, would be given a place that is another row's.
  private boolean namesUncounted(int source, int slot) {
    for (int k = 0; k < g.topK; k++) {
      int local = id(source, slot, k) - g.firstExpert;
      if (local >= 0 && local < g.localExperts && plan.receive.count(source, local) == 0) {
        return true;
      }
    }
    return false;
  }

  private Violation ofCounts(int source, String operation) {
    return new Violation(
        Symptom.MISSING,
        Check.COUNTS_EQUAL,
        g.rank,
        source,
        Violation.UNKNOWN,
        Violation.UNKNOWN,
        epoch,
        epoch,
        operation + ": fewer rows than counted for an expert");
  }

  private long header(int source, long slot) {
    wire.open(0, received, g.receivedAt(epoch, source, slot), g.row.bytes(), epoch);
    return wire.at(0);
  }

  @Override
  public int context(int source, long slot) {
    return Geometry.context(slot, g.rank, epoch, contexts);
  }

  @Override
  public long epoch(int source, long slot) {
    long at = header(source, slot);
    return wire.segment().get(LONG, at + RowLayout.EPOCH);
  }

  @Override
  public int sourceRank(int source, long slot) {
    long at = header(source, slot);
    return wire.segment().get(INT, at + RowLayout.SOURCE_RANK);
  }

  @Override
  public int token(int source, long slot) {
    long at = header(source, slot);
    return wire.segment().get(INT, at + RowLayout.SOURCE_TOKEN);
  }

  @Override
  public int id(int source, long slot, int lane) {
    long at = header(source, slot);
    return wire.segment().get(INT, at + g.row.idAt(lane));
  }

  @Override
  public boolean whole(int source, long slot) {
    long at = header(source, slot);
    MemorySegment row = wire.segment();
    return !g.config.audit()
        || row.get(LONG, at + RowLayout.CHECKSUM) == RowChecks.checksum(g.row, row, at);
  }
}
