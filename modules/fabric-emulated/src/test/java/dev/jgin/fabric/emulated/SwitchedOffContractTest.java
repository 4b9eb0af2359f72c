// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.emulated;

import org.junit.jupiter.api.Nested;

/** With a switch off, everything else still holds: the suites ask the axioms what to demand. */
class SwitchedOffContractTest {

  @Nested
  class A1wOff extends EmulatedContract {
    @Override
    protected String fabric() {
      return "emulated:adversarial,a1w=off";
    }
  }

  @Nested
  class A1sOff extends EmulatedContract {
    @Override
    protected String fabric() {
      return "emulated:adversarial,a1s=off";
    }
  }

  @Nested
  class A4Off extends EmulatedContract {
    @Override
    protected String fabric() {
      return "emulated:adversarial,a4=off";
    }
  }

  @Nested
  class A6Off extends dev.jgin.gin.contract.FabricContract {
    @Override
    protected String fabric() {
      return "emulated:adversarial,a6=off";
    }
  }

  @Nested
  class OrdersOffOnThreads extends dev.jgin.gin.contract.FabricContract {
    @Override
    protected String fabric() {
      return "emulated:adversarial,threads=2,a1w=off,a1s=off,a4=off,granule=128";
    }
  }
}
