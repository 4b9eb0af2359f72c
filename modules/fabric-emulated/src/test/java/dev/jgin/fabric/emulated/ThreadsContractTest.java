// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.emulated;

class ThreadsContractTest extends EmulatedContract {
  @Override
  protected String fabric() {
    return "emulated:adversarial,threads=2";
  }
}
