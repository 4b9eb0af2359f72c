// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.layout;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class MemoryBudgetTest {
  private static BufferFormula of(int tokens) {
    return new BufferFormula(
        8, 1, tokens, 8, 64L * tokens, 0, false, 14464, 128, 14464, 14336, 14336);
  }

  @Test
  void shouldSumTheWorkedExample() {
    // The example of docs/buffers.md.
    BufferFormula formula = of(128);
    assertEquals(1_851_392, formula.sendRows());
    assertEquals(29_622_272, formula.receiveRows());
    assertEquals(3_072, formula.countBlocks());
    assertEquals(117_440_512, formula.expertInput());
    assertEquals(118_489_088, formula.expertOutput());
    assertEquals(29_622_272, formula.returnedRows());
    assertEquals(1_835_008, formula.output());
    assertEquals(298_863_616, formula.totalBytes());
  }

  @Test
  void shouldNameTheTokensThatFit() {
    long budget = of(100).totalBytes();
    assertDoesNotThrow(() -> MemoryBudget.require(100, MemoryBudgetTest::of, budget));
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class,
            () -> MemoryBudget.require(4096, MemoryBudgetTest::of, budget));
    assertTrue(refused.getMessage().contains("at most 100 tokens"), refused::getMessage);
    assertTrue(refused.getMessage().contains(Long.toString(budget)), refused::getMessage);
  }

  @Test
  void shouldNameTheBudgetOfOneTokenWhereNoneFits() {
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class,
            () -> MemoryBudget.require(2, MemoryBudgetTest::of, 1000));
    assertTrue(
        refused.getMessage().contains(Long.toString(of(1).totalBytes())), refused::getMessage);
  }

  @Test
  void shouldNotOverflow() {
    BufferFormula huge =
        new BufferFormula(
            1024,
            64,
            Integer.MAX_VALUE,
            32,
            Long.MAX_VALUE / 2,
            1,
            true,
            1 << 20,
            128,
            1 << 20,
            1 << 20,
            1 << 20);
    assertEquals(Long.MAX_VALUE, huge.totalBytes());
  }
}
