// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.check;

import dev.jgin.moe.StreamInspector;
import dev.jgin.moe.layout.CombineLayout;
import dev.jgin.moe.layout.CountLayout;
import dev.jgin.moe.layout.RowLayout;
import dev.jgin.moe.layout.Words;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * A corruption of the victim's receive windows that one check alone can see, and what that check
 * must say about it.
 *
 * @param what the corruption, in words
 * @param ofCombine whether it strikes the combine; otherwise the dispatch
 * @param check the check that must see it
 * @param symptom how it must be classified
 * @param row the row that must be named
 * @param context the context that must be named
 * @param seenEpoch the epoch that must be reported as seen
 * @param spoil the deed
 */
record Plant(
    String what,
    boolean ofCombine,
    Check check,
    Symptom symptom,
    long row,
    int context,
    long seenEpoch,
    Consumer<Scene> spoil) {

  private static final int UNKNOWN = Violation.UNKNOWN;
  private static final int FRESH = Scene.EPOCH;
  private static final int STALE = 1;

  /** Lane 1 of token 0 goes to the peer: place 1 of its returned rows, slot 1 of the window. */
  private static final int RETURNED = 1;

  /** All of them. */
  static List<Plant> all() {
    List<Plant> all = new ArrayList<>();
    all.add(
        row("a row of two epochs ago", Check.EPOCH_TAG, Symptom.MISSING, 1, STALE, Plant::stale));
    all.add(header("source rank", Check.SOURCE, Symptom.PHANTOM, 1, RowLayout.SOURCE_RANK, 0));
    all.add(
        header(
            "token beyond the source's last",
            Check.SOURCE,
            Symptom.PHANTOM,
            2,
            RowLayout.SOURCE_TOKEN,
            Scene.TOKENS));
    all.add(header("stream", Check.SOURCE, Symptom.PHANTOM, 0, RowLayout.STREAM, 1));
    all.add(header("top-k", Check.SOURCE, Symptom.PHANTOM, 0, RowLayout.TOP_K, 2));
    all.add(
        row(
            "one token twice",
            Check.TOKEN_ORDER,
            Symptom.DOUBLE_ASSIGNED,
            1,
            FRESH,
            scene -> copyRow(scene, scene.victim().receivedRows(), 0, 1)));
    all.add(
        header(
            "expert beyond the last",
            Check.EXPERT_IDS,
            Symptom.OUT_OF_BOUNDS,
            0,
            id(2),
            Scene.EXPERTS));
    all.add(header("expert below the mask", Check.EXPERT_IDS, Symptom.OUT_OF_BOUNDS, 1, id(2), -2));
    all.add(
        header("an expert that nobody counted", Check.CURSOR_BOUND, Symptom.PHANTOM, 2, id(2), 5));
    all.add(
        header(
            "an expert once more than counted",
            Check.CURSOR_BOUND,
            Symptom.DOUBLE_ASSIGNED,
            2,
            id(2),
            3));
    all.add(
        new Plant(
            "a counted lane masked",
            false,
            Check.COUNTS_EQUAL,
            Symptom.MISSING,
            UNKNOWN,
            UNKNOWN,
            FRESH,
            scene -> set(scene, 1, id(0), -1)));
    all.add(count("block of two epochs ago", Symptom.MISSING, STALE, Plant::staleCounts));
    all.add(count("rows not hashed", Symptom.TORN, FRESH, scene -> bumpHash(scene)));
    all.add(
        row(
            "half a payload of two epochs ago",
            Check.CHECKSUM,
            Symptom.TORN,
            1,
            FRESH,
            Plant::tear));
    all.add(
        returned(
            "a returned row of two epochs ago",
            Check.EPOCH_TAG,
            Symptom.MISSING,
            STALE,
            Plant::staleReturn));
    all.add(
        returned(
            "a returned row of another token",
            Check.SOURCE,
            Symptom.PHANTOM,
            FRESH,
            scene -> setReturned(scene, CombineLayout.TOKEN, 1)));
    all.add(
        returned(
            "a returned row of another lane",
            Check.SOURCE,
            Symptom.PHANTOM,
            FRESH,
            scene -> setReturned(scene, CombineLayout.LANE, 0)));
    all.add(
        returned(
            "a returned row of another rank",
            Check.SOURCE,
            Symptom.PHANTOM,
            FRESH,
            scene -> setReturned(scene, CombineLayout.RANK, 0)));
    all.add(
        returned(
            "a returned row of another stream",
            Check.SOURCE,
            Symptom.PHANTOM,
            FRESH,
            scene -> setReturned(scene, CombineLayout.STREAM, 1)));
    all.add(
        returned(
            "a bit of a returned payload",
            Check.CHECKSUM,
            Symptom.TORN,
            FRESH,
            scene -> setReturned(scene, CombineLayout.PAYLOAD, 1)));
    return all;
  }

  /** Whether the check runs in audit mode only. */
  boolean needsAudit() {
    return check == Check.CHECKSUM;
  }

  @Override
  public String toString() {
    return check + ": " + what;
  }

  /** The second half of the payload becomes that of epoch 1; the header stays fresh. */
  static void tear(Scene scene) {
    StreamInspector victim = scene.victim();
    long half = 128;
    long at = victim.receivedRowAt(Scene.PEER, 1) + victim.payloadAt() + half;
    MemorySegment.copy(scene.firstRows(), at, victim.receivedRows(), at, half);
  }

  private static Plant row(
      String what, Check check, Symptom symptom, int slot, long seen, Consumer<Scene> spoil) {
    return new Plant(what, false, check, symptom, slot, context(slot), seen, spoil);
  }

  private static Plant header(
      String what, Check check, Symptom symptom, int slot, long field, int value) {
    return row(what, check, symptom, slot, FRESH, scene -> set(scene, slot, field, value));
  }

  private static Plant count(String what, Symptom symptom, long seen, Consumer<Scene> spoil) {
    return new Plant(what, false, Check.COUNT_BLOCK, symptom, UNKNOWN, 0, seen, spoil);
  }

  private static Plant returned(
      String what, Check check, Symptom symptom, long seen, Consumer<Scene> spoil) {
    return new Plant(what, true, check, symptom, RETURNED, context(RETURNED), seen, spoil);
  }

  /** The rotating map of rows to contexts, written out again. */
  private static int context(long slot) {
    return (int) ((slot + Scene.VICTIM + Scene.EPOCH) % Scene.CONTEXTS);
  }

  private static long id(int lane) {
    return RowLayout.IDS + 4L * lane;
  }

  private static void set(Scene scene, int slot, long field, int value) {
    long at = scene.victim().receivedRowAt(Scene.PEER, slot);
    scene.victim().receivedRows().set(Words.INT, at + field, value);
  }

  private static void stale(Scene scene) {
    copyRow(scene, scene.firstRows(), 1, 1);
  }

  private static void copyRow(Scene scene, MemorySegment from, int fromSlot, int toSlot) {
    StreamInspector victim = scene.victim();
    long source = victim.receivedRowAt(Scene.PEER, fromSlot);
    long target = victim.receivedRowAt(Scene.PEER, toSlot);
    long stride = victim.receivedRowAt(Scene.PEER, 1) - victim.receivedRowAt(Scene.PEER, 0);
    MemorySegment.copy(from, source, victim.receivedRows(), target, stride);
  }

  private static void staleCounts(Scene scene) {
    long at = scene.victim().receivedCountAt(Scene.PEER);
    long bytes = CountLayout.HEAD;
    MemorySegment.copy(scene.firstCounts(), at, scene.victim().receivedCounts(), at, bytes);
  }

  private static void bumpHash(Scene scene) {
    long at = scene.victim().receivedCountAt(Scene.PEER) + CountLayout.HASH;
    MemorySegment counts = scene.victim().receivedCounts();
    counts.set(Words.LONG, at, counts.get(Words.LONG, at) + 1);
  }

  private static void staleReturn(Scene scene) {
    StreamInspector victim = scene.victim();
    long at = victim.returnedRowAt(0, RETURNED);
    long stride = victim.returnedRowAt(0, RETURNED + 1) - at;
    MemorySegment.copy(scene.firstReturns(), at, victim.returnedRows(), at, stride);
  }

  private static void setReturned(Scene scene, long field, int value) {
    long at = scene.victim().returnedRowAt(0, RETURNED);
    scene.victim().returnedRows().set(ValueLayout.JAVA_INT_UNALIGNED, at + field, value);
  }
}
