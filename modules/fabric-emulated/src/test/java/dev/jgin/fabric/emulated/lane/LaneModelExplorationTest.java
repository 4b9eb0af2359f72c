// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.emulated.lane;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Tries every order of moves that a lane allows: write of two granules, signal, write of one
 * granule, atomic. What is seen at the target must be exactly what the axioms leave open.
 */
class LaneModelExplorationTest {

  private static final int SIGNAL = 24;
  private static final int SUM = 25;

  private final Set<String> seen = new HashSet<>();
  private int paths;

  private static LaneRules rules(boolean a1w, boolean a1s, boolean a4, boolean a6) {
    return new LaneRules(a1w, a1s, a4, a6, 64, 4096, 8, LaneRules.MOST_PIECES);
  }

  private static final class Run {
    final ArrayMemory target = new ArrayMemory(32);
    final LaneModel model;

    Run(LaneRules rules) {
      ArrayMemory source = new ArrayMemory(32);
      Arrays.fill(source.words, 1);
      model = new LaneModel(rules, source, target, 0, 1);
      model.postWrite(false, 0, 0, 0, 0, 128);
      model.postInline(true, 0, SIGNAL * 8L, 1, 8);
      model.postWrite(false, 0, 0, 0, 128, 64);
      model.postAtomic(0, SUM * 8L, 1);
      model.ring();
    }

    List<Long> enabled() {
      List<Long> moves = new ArrayList<>();
      model.forEachEnabled(moves::add);
      for (long move : moves) {
        assertTrue(model.isEnabled(move), LaneMove.describe(move));
      }
      return moves;
    }

    /** First write's granules, second write, signal, sum. */
    String picture() {
      long[] w = target.words;
      return "" + w[0] + w[8] + w[16] + " " + w[SIGNAL] + w[SUM];
    }
  }

  private void explore(LaneRules rules) {
    explore(rules, new ArrayList<>());
  }

  /** Depth first; a state is reached by replaying the moves that lead to it. */
  private void explore(LaneRules rules, List<Long> path) {
    Run run = new Run(rules);
    path.forEach(run.model::apply);
    seen.add(run.picture());
    List<Long> enabled = run.enabled();
    if (enabled.isEmpty()) {
      paths++;
      assertTrue(run.model.isDrained());
      run.model.reap();
      assertEquals(4, run.model.reaped());
    }
    for (long move : enabled) {
      // The order of completions against effects is free; taking them late halves the search.
      boolean postpone = LaneMove.kind(move) == LaneMove.COMPLETE && enabled.size() > 1;
      if (!postpone) {
        path.add(move);
        explore(rules, path);
        path.removeLast();
      }
    }
  }

  @Test
  void shouldKeepAllOrdersOfReliableConnected() {
    explore(rules(true, true, true, true));
    // A later write may pass an earlier signal, so the second write's place is free.
    assertEquals(
        Set.of("000 00", "100 00", "110 00", "111 00", "110 10", "111 10", "111 11"), seen);
    assertTrue(paths > 1);
  }

  @Test
  void shouldOverlapWritesWithoutA1wButKeepSignalsBehind() {
    explore(rules(false, true, true, true));
    assertTrue(seen.containsAll(Set.of("010 00", "001 00", "011 00", "101 00")), seen::toString);
    for (String picture : seen) {
      assertTrue(picture.charAt(4) == '0' || picture.startsWith("11"), picture);
      assertTrue(picture.charAt(5) == '0' || picture.startsWith("111"), picture);
    }
  }

  @Test
  void shouldLetSignalsPassWritesWithoutA4() {
    explore(rules(true, true, false, true));
    assertTrue(seen.containsAll(Set.of("000 10", "000 11", "100 11")), seen::toString);
    assertTrue(seen.stream().noneMatch(p -> p.endsWith("01")), seen::toString);
  }

  @Test
  void shouldLetSignalsPassSignalsWithoutA1s() {
    explore(rules(true, false, true, true));
    assertTrue(seen.contains("111 01"), seen::toString);
    assertTrue(seen.stream().noneMatch(p -> p.startsWith("0") && !p.endsWith("00")));
  }

  @Test
  void shouldLoseAndDoubleAtomicsWithoutA6() {
    explore(rules(true, true, true, false));
    assertTrue(seen.containsAll(Set.of("111 10", "111 11", "111 12")), seen::toString);
  }

  @Test
  void shouldRefuseMovesThatAreNotAllowed() {
    Run run = new Run(rules(true, true, true, true));
    assertThrows(IllegalStateException.class, () -> run.model.apply(LaneMove.complete(0)));
    run.model.apply(LaneMove.transmit(0));
    run.model.apply(LaneMove.transmit(1));
    assertThrows(IllegalStateException.class, () -> run.model.apply(LaneMove.effect(0, 1, 1)));
    assertThrows(IllegalStateException.class, () -> run.model.apply(LaneMove.effect(1, 0, 1)));
    run.model.apply(LaneMove.effect(0, 0, 1));
    assertThrows(IllegalStateException.class, () -> run.model.apply(LaneMove.effect(0, 0, 1)));
    IllegalStateException e =
        assertThrows(IllegalStateException.class, () -> run.model.apply(LaneMove.effect(1, 0, 1)));
    assertTrue(e.getMessage().contains("effect of op 1 piece 0"), e.getMessage());
  }
}
