// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe;

import dev.jgin.moe.contract.EngineFactory;
import dev.jgin.moe.contract.EpContract;

class HostEpContractTest extends EpContract {
  @Override
  protected EngineFactory factory() {
    return HostEngine::new;
  }
}
