// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class ReceivePlanTest {
  @Test
  void shouldGroupByExpertThenSourceAndAlignEachGroup() {
    ReceivePlan plan = new ReceivePlan(2, 3, 4);
    plan.setRows(0, 5);
    plan.setRows(1, 2);
    plan.set(0, 0, 3);
    plan.set(1, 0, 2);
    plan.set(0, 2, 4);
    plan.layOut();
    assertEquals(7, plan.receivedRows());
    assertEquals(0, plan.start(0));
    assertEquals(8, plan.start(1));
    assertEquals(8, plan.start(2));
    assertEquals(12, plan.totalRows());
    assertEquals(5, plan.expertRows(0));
    assertEquals(0, plan.expertRows(1));
    assertEquals(3, plan.first(1, 0));
    assertEquals(5, plan.bound(1, 0));
    assertEquals(8, plan.first(0, 2));
    assertEquals(12, plan.bound(1, 2));
  }

  @Test
  void shouldForgetASource() {
    ReceivePlan plan = new ReceivePlan(2, 1, 1);
    plan.setRows(0, 1);
    plan.set(0, 0, 1);
    plan.setRows(1, 1);
    plan.set(1, 0, 1);
    plan.clear(0);
    plan.layOut();
    assertEquals(1, plan.receivedRows());
    assertEquals(1, plan.totalRows());
    assertEquals(0, plan.first(1, 0));
  }

  @Test
  void shouldHaveNoRowsWithoutExperts() {
    ReceivePlan plan = new ReceivePlan(3, 0, 8);
    plan.layOut();
    assertEquals(0, plan.totalRows());
  }
}
