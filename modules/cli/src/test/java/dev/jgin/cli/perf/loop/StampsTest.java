// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.perf.loop;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class StampsTest {
  @Test
  void shouldKeepAllThatFit() {
    Stamps stamps = new Stamps(4);
    stamps.add(10);
    stamps.add(13);
    stamps.add(20);
    assertArrayEquals(new long[] {3, 7}, stamps.intervals());
    stamps.add(21);
    assertArrayEquals(new long[] {10, 13, 20, 21}, stamps.kept());
    assertEquals(4, stamps.count());
    stamps.clear();
    assertArrayEquals(new long[0], stamps.intervals());
    stamps.add(5);
    assertEquals(5, stamps.first());
  }

  @Test
  void shouldForgetTheOldest() {
    Stamps stamps = new Stamps(3);
    for (long t : new long[] {1, 2, 4, 8, 16}) {
      stamps.add(t);
    }
    assertArrayEquals(new long[] {4, 8, 16}, stamps.kept());
    assertArrayEquals(new long[] {4, 8}, stamps.intervals());
    assertEquals(5, stamps.count());
    assertEquals(1, stamps.first());
    assertEquals(16, stamps.last());
  }

  @Test
  void shouldRunANumberOfRounds() {
    Extent extent = Extent.ofRounds(2);
    extent.lead(0, 0);
    assertTrue(extent.more(1));
    extent.lead(1, Long.MAX_VALUE);
    assertFalse(extent.more(2));
  }

  @Test
  void shouldMakeTheRoundAtHandTheLastWhenTimeIsUp() {
    Extent extent = Extent.ofNanos(10);
    extent.lead(0, Long.MAX_VALUE - 4);
    extent.lead(1, Long.MIN_VALUE + 4);
    assertTrue(extent.more(2), "9 ns have passed, over the clock's wrap");
    extent.lead(2, Long.MIN_VALUE + 5);
    assertFalse(extent.more(3));
    extent.lead(3, Long.MIN_VALUE + 9);
    assertFalse(extent.more(3), "once decided, it stays");
  }
}
