// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gin;

import dev.jgin.gin.spi.FabricProvider;
import dev.jgin.gin.spi.FabricSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;

/** Finds carriers by name among those on the module path or class path. */
public final class Fabrics {

  private Fabrics() {}

  /** All providers, available or not, in the order the service loader gives. */
  public static List<FabricProvider> all() {
    List<FabricProvider> providers = new ArrayList<>();
    ServiceLoader.load(FabricProvider.class).forEach(providers::add);
    return providers;
  }

  /**
   * The provider of {@code spec}.
   *
   * @throws IllegalArgumentException if none has that name, naming those that exist
   * @throws IllegalStateException if it cannot be opened on this machine, with the cause
   */
  public static FabricProvider require(FabricSpec spec) {
    List<String> names = new ArrayList<>();
    for (FabricProvider provider : all()) {
      if (provider.name().equals(spec.provider())) {
        provider
            .unavailabilityCause()
            .ifPresent(cause -> {
              throw new IllegalStateException(
                  "fabric '" + spec.provider() + "' is not available here: " + cause);
            });
        return provider;
      }
      names.add(provider.name());
    }
    throw new IllegalArgumentException(
        "fabric '" + spec.provider() + "' is unknown: this installation has " + names);
  }
}
