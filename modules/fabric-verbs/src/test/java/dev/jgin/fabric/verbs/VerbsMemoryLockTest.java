// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jgin.gin.spi.Region;
import dev.jgin.gin.spi.RegionKind;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * In a process that may lock only as many bytes as the system property {@code jgin.verbs.memlock}
 * says, and has no capability to lock more.
 */
@ExtendWith(NeedsDevice.class)
@EnabledIfSystemProperty(named = "jgin.verbs.memlock", matches = "[0-9]+")
class VerbsMemoryLockTest {

  @Test
  void shouldSayWhatLimitsARegistrationAndGoOn() {
    long limit = Long.getLong("jgin.verbs.memlock");
    try (Ranks ranks = Ranks.open(NeedsDevice.fabric(), 1, 1)) {
      VerbsException e =
          assertThrows(
              VerbsException.class, () -> ranks.register("rows", 4 * limit, RegionKind.DATA));
      String why = e.getMessage();
      assertEquals(12, e.errno(), why);
      assertTrue(why.contains("'rows'") && why.contains(4 * limit + " bytes"), why);
      assertTrue(why.contains("RLIMIT_MEMLOCK is " + limit + " bytes"), why);
      assertTrue(why.contains("ulimit -l"), why);
      List<Region> less = ranks.register("less", 4096, RegionKind.DATA);
      assertEquals(4096, less.getFirst().bytes());
    }
  }
}
