// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gin.spi;

import java.util.Optional;

/**
 * A kind of carrier, found by {@link java.util.ServiceLoader}.
 *
 * <p>{@link #isAvailable()} never throws and never opens a device for good: a missing library,
 * driver or device is an {@link #unavailabilityCause()}.
 */
public interface FabricProvider {

  /** The first part of a fabric specification: {@code emulated} in {@code emulated:adversarial}. */
  String name();

  /** One line for {@code --help}: what it is and which options it takes. */
  String summary();

  /** Whether this machine can open it. */
  default boolean isAvailable() {
    return unavailabilityCause().isEmpty();
  }

  /** Why it cannot be opened here, naming what is missing and the remedy; empty if it can. */
  Optional<String> unavailabilityCause();

  /**
   * Opens this rank's end. Collective over the bootstrap.
   *
   * @throws IllegalArgumentException if the specification has an option that this provider does not
   *     know, naming those it does
   */
  Fabric open(FabricSpec spec, Bootstrap bootstrap);
}
