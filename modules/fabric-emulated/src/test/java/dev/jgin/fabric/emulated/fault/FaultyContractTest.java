// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.emulated.fault;

import dev.jgin.gin.contract.FabricContract;
import org.junit.jupiter.api.Nested;

/**
 * Delays and pauses break no promise that is left: the decorated carrier passes the suite. The
 * barriers' suite is not run, because there one rank blocks while others, whose rings are withheld,
 * are not polled.
 */
class FaultyContractTest {

  @Nested
  class Plain extends FabricContract {
    @Override
    protected String fabric() {
      return "faulty";
    }
  }

  @Nested
  class Adversarial extends FabricContract {
    @Override
    protected String fabric() {
      return "faulty:adversarial";
    }
  }
}
