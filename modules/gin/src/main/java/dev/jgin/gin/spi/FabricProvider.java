// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gin.spi;

import java.util.List;
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
   * What a fabric opened by {@code spec} promises at the least, told without opening it; empty if
   * this provider can tell only of an open one. It may look at a device for a moment. Where the
   * device is missing, this is what every device that it could open would promise, so a protocol
   * refused here may still be accepted there, and never the other way round.
   *
   * @throws IllegalArgumentException if {@link #open} would refuse an option
   */
  default Optional<Axioms> axioms(FabricSpec spec) {
    return Optional.empty();
  }

  /**
   * Specifications that differ in what they promise, the one without options first, for {@code jgin
   * info} to show. Each suits {@link #axioms}.
   */
  default List<String> presets() {
    return List.of(name());
  }

  /**
   * The devices that this carrier sees, in its own order; empty if it has none, or needs none.
   * Looks at each for a moment and keeps none open. Never throws: a device that cannot be asked
   * says so as its {@link DeviceDetails#PROBLEM}.
   */
  default List<DeviceDetails> devices() {
    return List.of();
  }

  /**
   * Opens this rank's end. Collective over the bootstrap.
   *
   * @throws IllegalArgumentException if the specification has an option that this provider does not
   *     know, naming those it does
   */
  Fabric open(FabricSpec spec, Bootstrap bootstrap);
}
