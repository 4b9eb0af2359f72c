// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlacementTest {
  @ParameterizedTest
  @CsvSource({"60,8", "64,8", "3,8", "1,1", "2048,1024", "2047,1000", "256,7"})
  void shouldGiveEveryExpertToTheRankWhoseBlockHoldsIt(int experts, int ranks) {
    Placement placement = new Placement(experts, ranks);
    int seen = 0;
    for (int r = 0; r < ranks; r++) {
      assertEquals(seen, placement.firstExpert(r));
      assertTrue(placement.localExperts(r) <= placement.maxLocalExperts());
      assertTrue(placement.localExperts(r) >= experts / ranks);
      for (int i = 0; i < placement.localExperts(r); i++) {
        assertEquals(r, placement.owner(seen++));
      }
    }
    assertEquals(experts, seen);
  }

  @ParameterizedTest
  @CsvSource({"0,1", "2049,1", "1,0", "1,1025"})
  void shouldRefuseWhatExceedsTheLimits(int experts, int ranks) {
    assertThrows(IllegalArgumentException.class, () -> new Placement(experts, ranks));
  }
}
