// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class RollingTest {

  @Test
  void shouldCompareAcrossTheWrapOf64Bits() {
    assertTrue(Rolling.reached(Long.MIN_VALUE, Long.MAX_VALUE));
    assertFalse(Rolling.reached(Long.MAX_VALUE, Long.MIN_VALUE));
    assertTrue(Rolling.reached(2, -3));
    assertFalse(Rolling.reached(-3, 2));
    assertTrue(Rolling.reached(7, 7));
  }

  @Test
  void shouldCompareAcrossTheWrapOfFewerBits() {
    for (int bits = 2; bits < 64; bits++) {
      long modulus = 1L << bits;
      for (long ahead = 0; ahead < Math.min(modulus / 2, 8); ahead++) {
        long target = modulus - 1;
        long value = (target + ahead) % modulus;
        assertTrue(Rolling.reached(value, target, bits), bits + " bits, " + ahead + " ahead");
        assertEquals(ahead == 0, Rolling.reached(target, value, bits), bits + " bits, behind");
      }
    }
  }

  @Test
  void shouldIgnoreBitsAboveTheCounter() {
    assertTrue(Rolling.reached(0xFF00_0000_0000_0005L, 4, 24));
    assertFalse(Rolling.reached(0xFF00_0000_0000_0003L, 4, 24));
  }

  @Test
  void shouldRefuseCountersThatCannotRoll() {
    assertThrows(IllegalArgumentException.class, () -> Rolling.reached(0, 0, 1));
    assertThrows(IllegalArgumentException.class, () -> Rolling.reached(0, 0, 65));
  }
}
