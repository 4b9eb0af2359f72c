// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.emulated;

import dev.jgin.gin.contract.FabricContract;

class PlainContractTest extends FabricContract {
  @Override
  protected String fabric() {
    return "emulated";
  }
}
