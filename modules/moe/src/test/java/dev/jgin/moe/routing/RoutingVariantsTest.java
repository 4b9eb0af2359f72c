// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.routing;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class RoutingVariantsTest {
  private final Routing full = new UniformRouting(64, 8).generate(2_000, 1);

  @Test
  void shouldMaskTheGivenShare() {
    long lanes = 2_000 * 8;
    assertEquals(lanes, open(RoutingVariants.masked(full, 0, 0, 1)));
    assertEquals(0, open(RoutingVariants.masked(full, 1, 0, 1)));
    assertEquals(0, open(RoutingVariants.masked(full, 0, 1, 1)));
    assertEquals(lanes * 0.56, (double) open(RoutingVariants.masked(full, 0.3, 0.2, 1)), 600.0);
  }

  @Test
  void shouldMaskWholeTokensAndLeaveTheRestAlone() {
    Routing masked = RoutingVariants.masked(full, 0.5, 0, 2);
    for (int t = 0; t < masked.tokens(); t++) {
      boolean whole = masked.id(t, 0) == Routing.MASKED;
      for (int k = 0; k < 8; k++) {
        assertEquals(whole ? Routing.MASKED : full.id(t, k), masked.id(t, k));
        assertEquals(whole ? 0f : full.weight(t, k), masked.weight(t, k));
      }
    }
  }

  @Test
  void shouldIncludeAnEmptyAndAFullRank() {
    for (long seed = 0; seed < 200; seed++) {
      int[] counts = RoutingVariants.unevenTokens(5, 9, seed);
      assertTrue(Arrays.stream(counts).allMatch(c -> c >= 0 && c <= 9));
      assertTrue(Arrays.stream(counts).anyMatch(c -> c == 0));
      assertTrue(Arrays.stream(counts).anyMatch(c -> c == 9));
      assertArrayEquals(counts, RoutingVariants.unevenTokens(5, 9, seed));
    }
    assertArrayEquals(new int[] {9}, RoutingVariants.unevenTokens(1, 9, 3));
  }

  @Test
  void shouldRefuseRatiosOutsideTheirRange() {
    for (double ratio : new double[] {-0.1, 1.1, Double.NaN}) {
      assertThrows(IllegalArgumentException.class, () -> RoutingVariants.masked(full, ratio, 0, 1));
    }
    assertThrows(IllegalArgumentException.class, () -> RoutingVariants.unevenTokens(0, 1, 1));
  }

  private static long open(Routing routing) {
    return Arrays.stream(routing.loads()).sum();
  }
}
