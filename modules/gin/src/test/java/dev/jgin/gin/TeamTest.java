// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class TeamTest {

  @Test
  void shouldMapMembersToRanksAndBack() {
    Team rail = Team.strided(8, 1, 2, 3);
    assertEquals(3, rail.size());
    assertEquals(5, rail.worldRank(2));
    assertEquals(1, rail.memberOf(3));
    assertEquals(-1, rail.memberOf(2));
  }

  @Test
  void shouldRefuseForeignAndRepeatedRanks() {
    String foreign =
        assertThrows(IllegalArgumentException.class, () -> Team.of(4, 0, 4)).getMessage();
    assertTrue(foreign.contains("rank 4") && foreign.contains("0..3"), foreign);
    assertThrows(IllegalArgumentException.class, () -> Team.of(4, 2, 2));
    assertThrows(IllegalArgumentException.class, () -> Team.of(4));
  }
}
