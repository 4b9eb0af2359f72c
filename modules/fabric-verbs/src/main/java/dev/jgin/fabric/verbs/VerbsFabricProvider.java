// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.verbs;

import dev.jgin.fabric.verbs.device.Devices;
import dev.jgin.gin.spi.Bootstrap;
import dev.jgin.gin.spi.Fabric;
import dev.jgin.gin.spi.FabricProvider;
import dev.jgin.gin.spi.FabricSpec;
import java.util.Optional;

/** Opens {@code verbs} fabrics. Thread-safe. */
public final class VerbsFabricProvider implements FabricProvider {

  @Override
  public String name() {
    return "verbs";
  }

  @Override
  public String summary() {
    return "queue pairs of RDMA devices (InfiniBand, RoCE, soft-RoCE), with " + OptionParser.KNOWN;
  }

  @Override
  public Optional<String> unavailabilityCause() {
    return Devices.unavailabilityCause();
  }

  @Override
  public Fabric open(FabricSpec spec, Bootstrap bootstrap) {
    return new Opening(spec, new OptionParser(spec).parse(), bootstrap).open();
  }
}
