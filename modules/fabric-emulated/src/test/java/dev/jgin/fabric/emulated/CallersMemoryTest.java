// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.emulated;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jgin.gin.CommunicatorOptions;
import dev.jgin.gin.LocalWorld;
import dev.jgin.gin.spi.FabricSpec;
import dev.jgin.gin.spi.RegionKind;
import dev.jgin.gin.spi.RegionMemory;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CallersMemoryTest {

  @Test
  void shouldSayThatTheCarrierMovesItsOwnMemoryAlone() {
    try (LocalWorld world =
        LocalWorld.open(FabricSpec.parse("emulated", 1, 1), 1, CommunicatorOptions.defaults())) {
      RegionMemory memory = new RegionMemory.Device(1L << 40, 64, Optional.empty());
      String why =
          assertThrows(
                  UnsupportedOperationException.class,
                  () -> world.communicator(0).fabric().register("rows", memory, RegionKind.DATA))
              .getMessage();
      assertTrue(why.contains("'emulated'") && why.contains("'rows'"), why);
    }
  }
}
