// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.emulated;

class AdversarialContractTest extends EmulatedContract {
  @Override
  protected String fabric() {
    return "emulated:adversarial";
  }
}
