// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.emulated.lane;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import org.junit.jupiter.api.Test;

class PsnTest {

  @Test
  void shouldWrapAt24Bits() {
    assertEquals(0, Psn.add(Psn.MAX, 1));
    assertEquals(4, Psn.add(Psn.MAX - 2, 7));
    assertEquals(7, Psn.distance(Psn.MAX - 2, 4));
    assertEquals(Psn.MAX, Psn.distance(1, 0));
  }

  @Test
  void shouldCountAtLeastOnePacketPerMessage() {
    assertEquals(1, Psn.packets(0, 12));
    assertEquals(1, Psn.packets(1, 12));
    assertEquals(1, Psn.packets(4096, 12));
    assertEquals(2, Psn.packets(4097, 12));
    assertEquals(1L << 31, Psn.packets(1L << 43, 12));
  }

  @Test
  void shouldStartLanesAndGenerationsAtDifferentNumbers() {
    int first = Psn.initial(1, 2, 3, 4, 1);
    assertEquals(first, Psn.initial(1, 2, 3, 4, 1));
    assertNotEquals(first, Psn.initial(1, 2, 3, 4, 2));
    assertNotEquals(first, Psn.initial(1, 4, 3, 2, 1));
    assertNotEquals(first, Psn.initial(2, 2, 3, 4, 1));
  }
}
