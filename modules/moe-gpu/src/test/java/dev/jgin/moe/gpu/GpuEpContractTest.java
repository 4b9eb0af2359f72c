// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.gpu;

import dev.jgin.gin.BarrierProtocol;
import dev.jgin.moe.contract.Carrier;
import dev.jgin.moe.contract.EngineFactory;
import dev.jgin.moe.contract.EpContract;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/**
 * The suite of every engine, over NVLINK with all ranks on one GPU. The carrier is there for set-up
 * alone, so only one in-order and one adversarial schedule of the ranks' steps are run.
 */
@Tag("gpu")
class GpuEpContractTest extends EpContract {
  private static final Set<String> FABRICS = Set.of(Carrier.PLAIN, Carrier.ADVERSARIAL);

  private GpuUnderTest.Worlds worlds;

  @BeforeAll
  void open() {
    worlds = new GpuUnderTest.Worlds(KernelBlocks.all(6));
  }

  @AfterAll
  void close() {
    worlds.close();
  }

  @Override
  protected EngineFactory factory() {
    return worlds::rank;
  }

  @Override
  protected boolean serves(Carrier carrier) {
    return carrier.protocol() == BarrierProtocol.FAN_IN_ALL_CONTEXTS
        && FABRICS.contains(carrier.fabric());
  }
}
