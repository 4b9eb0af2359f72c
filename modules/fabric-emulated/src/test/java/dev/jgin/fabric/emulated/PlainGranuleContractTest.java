// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.emulated;

class PlainGranuleContractTest extends EmulatedContract {
  @Override
  protected String fabric() {
    return "emulated:granule=64";
  }
}
