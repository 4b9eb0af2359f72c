// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.emulated;

import dev.jgin.gin.contract.FabricContract;

class PlainGranuleContractTest extends FabricContract {
  @Override
  protected String fabric() {
    return "emulated:granule=64";
  }
}
