// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.emulated.fault;

import dev.jgin.fabric.emulated.EmulatedFabricProvider;
import dev.jgin.gin.spi.Bootstrap;
import dev.jgin.gin.spi.Fabric;
import dev.jgin.gin.spi.FabricProvider;
import dev.jgin.gin.spi.FabricSpec;
import java.util.Optional;

/** {@code faulty:…} is {@code emulated:…} with seeded delays, so that suites can open it. */
public final class FaultyProvider implements FabricProvider {

  @Override
  public String name() {
    return "faulty";
  }

  @Override
  public String summary() {
    return "emulated with seeded delays and pauses";
  }

  @Override
  public Optional<String> unavailabilityCause() {
    return Optional.empty();
  }

  @Override
  public Fabric open(FabricSpec spec, Bootstrap bootstrap) {
    FabricSpec inner = new FabricSpec("emulated", spec.options(), spec.contexts(), spec.seed());
    Fabric fabric = new EmulatedFabricProvider().open(inner, bootstrap);
    int faults = 4 * bootstrap.ranks();
    return new FaultyFabric(
        fabric, FaultPlan.delays(spec.seed(), bootstrap.ranks(), spec.contexts(), faults));
  }
}
