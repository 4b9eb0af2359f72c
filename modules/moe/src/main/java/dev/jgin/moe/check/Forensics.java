// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.check;

import dev.jgin.moe.plan.ReceivePlan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Says what a dispatch with something wrong in it would have become without checks: believes every
 * header as it stands, hands out one cursor per expert as an unchecked epilogue does, and compares
 * the result with the counts.
 *
 * <p>Runs after a check has failed, on the bytes as they are then: a row that arrived in the
 * meantime is no longer seen as missing. Allocates freely. One use per instance.
 */
public final class Forensics {

  /**
   * Where the rows were received.
   *
   * @param rank the rank that looks
   * @param firstExpert its first expert
   * @param topK lanes of a row
   * @param experts experts in all
   * @param maxRows rows of the output buffer
   * @param expanded whether rows are grouped by expert; otherwise no places are handed out
   * @param epoch the epoch of the barrier that was passed
   * @param operation for messages, for example {@code dispatch, stream 0}
   */
  public record Scene(
      int rank,
      int firstExpert,
      int topK,
      int experts,
      long maxRows,
      boolean expanded,
      long epoch,
      String operation) {}

  private final Scene scene;
  private final ReceivePlan plan;
  private final ReceivedRows rows;
  private final List<Violation> found = new ArrayList<>();
  private final long[] cursors;
  private final int[] seen;
  private final BitSet written = new BitSet();

  /** Prepares to look at {@code rows}, counted as in {@code plan}, which has been laid out. */
  public Forensics(Scene scene, ReceivePlan plan, ReceivedRows rows) {
    this.scene = scene;
    this.plan = plan;
    this.rows = rows;
    this.cursors = new long[plan.experts()];
    this.seen = new int[plan.sources() * plan.experts()];
    Arrays.setAll(cursors, plan::start);
  }

  /** Everything found, row by row and then by expert; empty if all is as counted. */
  public List<Violation> examine() {
    for (int s = 0; s < plan.sources(); s++) {
      for (int i = 0; i < plan.rows(s); i++) {
        countLanes(s, i);
      }
    }
    for (int s = 0; s < plan.sources(); s++) {
      long lastToken = -1;
      for (int i = 0; i < plan.rows(s); i++) {
        judgeRow(s, i, lastToken);
        lastToken = rows.token(s, i);
        placeLanes(s, i);
      }
    }
    judgeOutput();
    return found;
  }

  private void countLanes(int source, int slot) {
    for (int k = 0; k < scene.topK; k++) {
      int local = local(source, slot, k);
      if (local >= 0) {
        seen[source * plan.experts() + local]++;
      }
    }
  }

  private int local(int source, int slot, int lane) {
    int local = rows.id(source, slot, lane) - scene.firstExpert;
    return local >= 0 && local < plan.experts() ? local : -1;
  }

  private void judgeRow(int source, int slot, long lastToken) {
    long epoch = rows.epoch(source, slot);
    int from = rows.sourceRank(source, slot);
    int token = rows.token(source, slot);
    if (epoch != scene.epoch) {
      add(
          Symptom.MISSING,
          Check.EPOCH_TAG,
          source,
          slot,
          epoch == 0
              ? "nothing was ever written there"
              : "a row of token " + token + " of rank " + from + " stands in its place");
      return;
    }
    if (from != source) {
      add(Symptom.PHANTOM, Check.SOURCE, source, slot, "the row says it is from rank " + from);
    }
    if (token <= lastToken) {
      add(
          Symptom.DOUBLE_ASSIGNED,
          Check.TOKEN_ORDER,
          source,
          slot,
          "token " + token + " stands behind token " + lastToken);
    }
    for (int k = 0; k < scene.topK; k++) {
      int id = rows.id(source, slot, k);
      if (id < -1 || id >= scene.experts) {
        add(
            Symptom.OUT_OF_BOUNDS,
            Check.EXPERT_IDS,
            source,
            slot,
            "lane " + k + " names expert " + id + " of " + scene.experts);
      }
    }
    if (!rows.whole(source, slot)) {
      add(
          Symptom.TORN,
          Check.CHECKSUM,
          source,
          slot,
          "token " + token + ": the header is fresh, the bytes behind it do not match it");
    }
  }

  private void placeLanes(int source, int slot) {
    for (int k = 0; k < scene.topK; k++) {
      int e = local(source, slot, k);
      if (e < 0) {
        continue;
      }
      int counted = plan.count(source, e);
      int saw = seen[source * plan.experts() + e];
      long row = cursors[e]++;
      if (saw > counted && (counted == 0 || rows.epoch(source, slot) != scene.epoch)) {
        add(
            Symptom.PHANTOM,
            Check.CURSOR_BOUND,
            source,
            slot,
            "lane " + k + " names expert " + global(e) + ", counted " + counted + " seen " + saw);
      }
      if (!scene.expanded) {
        continue;
      }
      if (row >= Math.min(plan.totalRows(), scene.maxRows)) {
        add(
            Symptom.OUT_OF_BOUNDS,
            Check.CURSOR_BOUND,
            source,
            slot,
            "expert " + global(e) + " would be given row " + row + " of " + plan.totalRows());
      } else if (written.get((int) row)) {
        add(
            Symptom.DOUBLE_ASSIGNED,
            Check.CURSOR_BOUND,
            source,
            slot,
            "expert " + global(e) + " would be given row " + row + ", which is another's");
      } else {
        written.set((int) row);
      }
    }
  }

  private void judgeOutput() {
    for (int e = 0; e < plan.experts(); e++) {
      long end = plan.start(e) + plan.expertRows(e);
      for (long row = plan.start(e); scene.expanded && row < end; row++) {
        if (!written.get((int) row)) {
          found.add(
              new Violation(
                  Symptom.UNWRITTEN,
                  Check.COUNTS_EQUAL,
                  scene.rank,
                  Violation.UNKNOWN,
                  Violation.UNKNOWN,
                  row,
                  scene.epoch,
                  scene.epoch,
                  scene.operation + ": expert " + global(e) + " counts this output row"));
        }
      }
      for (int s = 0; s < plan.sources(); s++) {
        judgeCount(s, e);
      }
    }
  }

  private void judgeCount(int source, int expert) {
    int saw = seen[source * plan.experts() + expert];
    int counted = plan.count(source, expert);
    boolean explained =
        found.stream().anyMatch(v -> v.symptom() == Symptom.MISSING && v.peer() == source);
    if (saw < counted && !explained) {
      found.add(
          new Violation(
              Symptom.MISSING,
              Check.COUNTS_EQUAL,
              scene.rank,
              source,
              Violation.UNKNOWN,
              Violation.UNKNOWN,
              scene.epoch,
              scene.epoch,
              scene.operation
                  + ": expert "
                  + global(expert)
                  + " was counted "
                  + counted
                  + " times, seen "
                  + saw));
    }
  }

  private int global(int localExpert) {
    return scene.firstExpert + localExpert;
  }

  private void add(Symptom symptom, Check check, int source, long slot, String detail) {
    found.add(
        new Violation(
            symptom,
            check,
            scene.rank,
            source,
            rows.context(source, slot),
            slot,
            scene.epoch,
            rows.epoch(source, slot),
            scene.operation + ": " + detail));
  }
}
