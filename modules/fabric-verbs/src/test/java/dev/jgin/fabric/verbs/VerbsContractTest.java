// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.verbs;

import dev.jgin.gin.contract.BarrierContract;
import dev.jgin.gin.contract.FabricContract;
import dev.jgin.gin.contract.ModelContract;
import dev.jgin.gin.spi.FabricSpec;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.ExtendWith;

/** All suites over a real device. */
@ExtendWith(NeedsDevice.class)
class VerbsContractTest extends FabricContract {

  @Override
  protected String fabric() {
    return NeedsDevice.fabric();
  }

  @Nested
  class Model extends ModelContract {
    @Override
    protected FabricSpec spec(int contexts, long seed) {
      return FabricSpec.parse(fabric(), contexts, seed);
    }

    @Override
    protected boolean showsDisorder() {
      return NeedsDevice.showsDisorder();
    }
  }

  @Nested
  class Barriers extends BarrierContract {
    @Override
    protected FabricSpec spec(int contexts, long seed) {
      return FabricSpec.parse(fabric(), contexts, seed);
    }

    @Override
    protected boolean showsDisorder() {
      return NeedsDevice.showsDisorder();
    }
  }
}
