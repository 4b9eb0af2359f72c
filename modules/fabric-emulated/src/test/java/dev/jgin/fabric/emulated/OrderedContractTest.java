// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.emulated;

import dev.jgin.gin.contract.FabricContract;

/**
 * Without the barrier suite: its positive control wants a carrier that shows disorder, and this
 * mode, which promises no order between lanes, shows none on purpose.
 */
class OrderedContractTest extends FabricContract {
  @Override
  protected String fabric() {
    return "emulated:ordered";
  }
}
