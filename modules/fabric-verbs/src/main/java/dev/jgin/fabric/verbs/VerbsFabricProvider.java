// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.verbs;

import dev.jgin.fabric.verbs.device.Device;
import dev.jgin.fabric.verbs.device.DeviceReport;
import dev.jgin.fabric.verbs.device.Devices;
import dev.jgin.gin.spi.Axioms;
import dev.jgin.gin.spi.Bootstrap;
import dev.jgin.gin.spi.DeviceDetails;
import dev.jgin.gin.spi.Fabric;
import dev.jgin.gin.spi.FabricProvider;
import dev.jgin.gin.spi.FabricSpec;
import java.util.List;
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
  public Optional<Axioms> axioms(FabricSpec spec) {
    VerbsOptions options = new OptionParser(spec).parse();
    return Optional.of(VerbsAxioms.of(options.relaxed(), mayBeSoftware(options)));
  }

  /** Whether a rank might run on a kernel driver, which promises less than an adapter. */
  private static boolean mayBeSoftware(VerbsOptions options) {
    if (Devices.unavailabilityCause().isPresent()) {
      return true;
    }
    List<String> names = options.devices().isEmpty() ? List.of("") : options.devices();
    for (String name : names) {
      try (Device device = Devices.open(name)) {
        if (device.limits().software()) {
          return true;
        }
      } catch (VerbsException _) {
        return true;
      }
    }
    return false;
  }

  @Override
  public List<String> presets() {
    return List.of("verbs", "verbs:ro=on");
  }

  @Override
  public List<DeviceDetails> devices() {
    return DeviceReport.all();
  }

  @Override
  public Fabric open(FabricSpec spec, Bootstrap bootstrap) {
    return new Opening(spec, new OptionParser(spec).parse(), bootstrap).open();
  }
}
