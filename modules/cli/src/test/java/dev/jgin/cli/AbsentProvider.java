// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli;

import dev.jgin.gin.spi.Bootstrap;
import dev.jgin.gin.spi.Fabric;
import dev.jgin.gin.spi.FabricProvider;
import dev.jgin.gin.spi.FabricSpec;
import java.util.Optional;

/** A carrier that no machine has. */
public final class AbsentProvider implements FabricProvider {
  @Override
  public String name() {
    return "absent";
  }

  @Override
  public String summary() {
    return "for tests";
  }

  @Override
  public Optional<String> unavailabilityCause() {
    return Optional.of("no such device; install one");
  }

  @Override
  public Fabric open(FabricSpec spec, Bootstrap bootstrap) {
    throw new AssertionError("nobody may open what is not available");
  }
}
