// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jgin.moe.plan.ReceivePlan;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The captures of the public report: one source sent two rows for experts 0 and 1 of rank 0. */
class ForensicsTest {
  private static final long EPOCH = 7;

  private record Row(long epoch, int token, int id, boolean whole) {}

  private static final class Rows implements ReceivedRows {
    private final List<Row> rows;

    Rows(Row... rows) {
      this.rows = List.of(rows);
    }

    @Override
    public int context(int source, long slot) {
      return (int) slot + 1;
    }

    @Override
    public long epoch(int source, long slot) {
      return rows.get((int) slot).epoch;
    }

    @Override
    public int sourceRank(int source, long slot) {
      return source;
    }

    @Override
    public int token(int source, long slot) {
      return rows.get((int) slot).token;
    }

    @Override
    public int id(int source, long slot, int lane) {
      return rows.get((int) slot).id;
    }

    @Override
    public boolean whole(int source, long slot) {
      return rows.get((int) slot).whole;
    }
  }

  private static List<Violation> examine(Row... rows) {
    ReceivePlan plan = new ReceivePlan(1, 3, 1);
    plan.setRows(0, rows.length);
    plan.set(0, 0, 1);
    plan.set(0, 1, 1);
    plan.layOut();
    return new Forensics(
            new Forensics.Scene(0, 0, 1, 6, 2, true, EPOCH, "dispatch, stream 0"),
            plan,
            new Rows(rows))
        .examine();
  }

  private static List<Symptom> symptoms(List<Violation> violations) {
    return violations.stream().map(Violation::symptom).distinct().toList();
  }

  @Test
  void shouldFindNothingWhereAllIsAsCounted() {
    assertEquals(List.of(), examine(new Row(EPOCH, 0, 0, true), new Row(EPOCH, 1, 1, true)));
  }

  @Test
  void shouldSeeAStaleRowAsMissingAndItsRouteAsPhantom() {
    // Slot 1 still holds a row for expert 0: expert 0 gets two, expert 1 none.
    List<Violation> found = examine(new Row(EPOCH, 0, 0, true), new Row(EPOCH - 2, 0, 0, true));
    assertEquals(List.of(Symptom.MISSING, Symptom.PHANTOM), symptoms(found).subList(0, 2));
    Violation missing = found.getFirst();
    assertEquals(0, missing.peer());
    assertEquals(2, missing.context());
    assertEquals(1, missing.row());
    assertEquals(EPOCH, missing.expectedEpoch());
    assertEquals(EPOCH - 2, missing.seenEpoch());
    assertTrue(missing.describe().contains("epoch expected 7 seen 5"), missing::describe);
  }

  @Test
  void shouldSeeThePlaceThatTwoCursorsReach() {
    // Expert 0 is given rows 0 and 1, then expert 1 is given row 1 too.
    List<Violation> found =
        examine(
            new Row(EPOCH - 2, 0, 0, true), new Row(EPOCH, 0, 0, true), new Row(EPOCH, 1, 1, true));
    assertTrue(symptoms(found).contains(Symptom.DOUBLE_ASSIGNED), found::toString);
  }

  @Test
  void shouldSeeThePlaceThatNobodyWrites() {
    List<Violation> found = examine(new Row(EPOCH, 0, 1, true), new Row(EPOCH - 2, 0, 5, true));
    assertTrue(symptoms(found).contains(Symptom.UNWRITTEN), found::toString);
    assertTrue(symptoms(found).contains(Symptom.MISSING), found::toString);
  }

  @Test
  void shouldSeeThePlaceOutsideTheBuffer() {
    List<Violation> found = examine(new Row(EPOCH, 0, 1, true), new Row(EPOCH - 2, 0, 1, true));
    assertTrue(symptoms(found).contains(Symptom.OUT_OF_BOUNDS), found::toString);
    List<Violation> unknown = examine(new Row(EPOCH, 0, 0, true), new Row(EPOCH, 1, 77, true));
    assertTrue(symptoms(unknown).contains(Symptom.OUT_OF_BOUNDS), unknown::toString);
  }

  @Test
  void shouldSeeTheSameTokenTwice() {
    List<Violation> found = examine(new Row(EPOCH, 0, 0, true), new Row(EPOCH, 0, 1, true));
    assertEquals(List.of(Symptom.DOUBLE_ASSIGNED), symptoms(found));
  }

  @Test
  void shouldSeeATornRow() {
    List<Violation> found = examine(new Row(EPOCH, 0, 0, true), new Row(EPOCH, 1, 1, false));
    assertEquals(List.of(Symptom.TORN), symptoms(found));
  }
}
