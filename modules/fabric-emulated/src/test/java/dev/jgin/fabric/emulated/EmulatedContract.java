// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.emulated;

import dev.jgin.gin.contract.BarrierContract;
import dev.jgin.gin.contract.FabricContract;
import dev.jgin.gin.contract.ModelContract;
import dev.jgin.gin.spi.FabricSpec;
import org.junit.jupiter.api.Nested;

/** All suites on one mode. */
abstract class EmulatedContract extends FabricContract {

  @Nested
  class Model extends ModelContract {
    @Override
    protected FabricSpec spec(int contexts, long seed) {
      return FabricSpec.parse(fabric(), contexts, seed);
    }
  }

  @Nested
  class Barriers extends BarrierContract {
    @Override
    protected FabricSpec spec(int contexts, long seed) {
      return FabricSpec.parse(fabric(), contexts, seed);
    }
  }
}
