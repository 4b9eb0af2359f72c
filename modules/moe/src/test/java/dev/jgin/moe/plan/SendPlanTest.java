// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.plan;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jgin.moe.routing.Routing;
import dev.jgin.moe.routing.RoutingVariants;
import dev.jgin.moe.routing.UniformRouting;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SendPlanTest {
  private static final long SEED = Long.getLong("jgin.seed", 7L);

  // 4 experts on 2 ranks: 0 and 1 on rank 0, 2 and 3 on rank 1.
  private final SendPlan plan = new SendPlan(new Placement(4, 2), 8, 2);

  private static Routing routing(int... ids) {
    return Routing.of(4, 2, ids, new float[ids.length]);
  }

  @Test
  void shouldSendOneRowToARankHoweverManyOfTheTokensLanesItOwns() {
    plan.plan(routing(0, 1, 3, 0, 2, 3));
    assertEquals(4, plan.entries());
    assertArrayEquals(new int[] {0, 1, 0, 1}, collect(plan, plan::rank));
    assertArrayEquals(new int[] {0, 0, 1, 1}, collect(plan, plan::slot));
    assertArrayEquals(new int[] {0, 1, 1, 2}, collect(plan, plan::token));
    assertArrayEquals(new int[] {0, 0, 1, 0}, collect(plan, plan::firstLane));
    assertEquals(2, plan.rows(0));
    assertEquals(2, plan.rows(1));
    assertEquals(2, plan.expertRows(0));
    assertEquals(1, plan.expertRows(1));
  }

  @Test
  void shouldSendNothingForMaskedLanes() {
    plan.plan(routing(-1, -1, -1, 2, -1, -1));
    assertEquals(1, plan.entries());
    assertEquals(0, plan.firstEntry(1) - plan.firstEntry(0));
    assertEquals(1, plan.firstEntry(2) - plan.firstEntry(1));
    assertEquals(1, plan.firstLane(0));
    assertEquals(0, plan.rows(0));
    assertEquals(-1, plan.firstEntryOf(0));
  }

  @Test
  void shouldForgetTheRoutingBefore() {
    plan.plan(routing(0, 1, 2, 3, 0, 2));
    plan.plan(routing());
    assertEquals(0, plan.tokens());
    assertEquals(0, plan.entries());
    assertEquals(0, plan.rows(1));
    assertEquals(0, plan.expertRows(3));
  }

  @Test
  void shouldChainTheEntriesOfARankInSlotOrder() {
    Placement placement = new Placement(60, 8);
    SendPlan large = new SendPlan(placement, 200, 6);
    Routing routing =
        RoutingVariants.masked(new UniformRouting(60, 6).generate(200, SEED), 0.1, 0.2, SEED);
    large.plan(routing);
    int entries = 0;
    for (int r = 0; r < 8; r++) {
      int slot = 0;
      int lastToken = -1;
      for (int e = large.firstEntryOf(r); e >= 0; e = large.nextEntry(e)) {
        assertEquals(r, large.rank(e));
        assertEquals(slot++, large.slot(e));
        assertTrue(large.token(e) > lastToken, () -> "seed " + SEED);
        lastToken = large.token(e);
      }
      assertEquals(large.rows(r), slot);
      entries += slot;
    }
    assertEquals(large.entries(), entries);
    long[] loads = routing.loads();
    for (int e = 0; e < 60; e++) {
      assertEquals(loads[e], large.expertRows(e));
    }
  }

  @Test
  void shouldSayWhatWouldFit() {
    assertTrue(
        assertThrows(
                IllegalArgumentException.class,
                () -> plan.plan(new UniformRouting(4, 2).generate(9, SEED)))
            .getMessage()
            .contains("at most 8"));
    assertThrows(
        IllegalArgumentException.class,
        () -> plan.plan(new UniformRouting(4, 1).generate(1, SEED)));
    assertThrows(
        IllegalArgumentException.class,
        () -> plan.plan(new UniformRouting(5, 2).generate(1, SEED)));
  }

  private static int[] collect(SendPlan plan, java.util.function.IntUnaryOperator of) {
    List<Integer> all = new ArrayList<>();
    for (int e = 0; e < plan.entries(); e++) {
      all.add(of.applyAsInt(e));
    }
    return all.stream().mapToInt(Integer::intValue).toArray();
  }
}
