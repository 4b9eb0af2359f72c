// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.info;

import dev.jgin.gin.spi.FabricProvider;
import dev.jgin.gin.spi.FabricSpec;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The carriers of an installation as people want to see them: those that work here first, then by
 * name. Asks each provider once whether it works.
 */
public final class Carriers {

  /** A carrier, and why it cannot be opened here; empty if it can. */
  public record Carrier(FabricProvider provider, Optional<String> cause) {}

  private final List<Carrier> carriers;

  /** Those of {@code providers}, which may come in any order. */
  public Carriers(List<FabricProvider> providers) {
    this.carriers =
        providers.stream()
            .map(provider -> new Carrier(provider, provider.unavailabilityCause()))
            .sorted(
                Comparator.comparing((Carrier carrier) -> carrier.cause().isPresent())
                    .thenComparing(carrier -> carrier.provider().name()))
            .toList();
  }

  /** The carriers in order. */
  public List<Carrier> all() {
    return carriers;
  }

  List<InfoReport.Seen> devices() {
    return carriers.stream()
        .map(carrier ->
            new InfoReport.Seen(
                carrier.provider().name(), carrier.cause(), carrier.provider().devices()))
        .toList();
  }

  /** Every carrier with its own presets. */
  List<InfoReport.Promises> promises() {
    return carriers.stream()
        .map(carrier -> promises(carrier, carrier.provider().presets()))
        .toList();
  }

  /**
   * The carriers of these specifications alone.
   *
   * @throws IllegalArgumentException if one is malformed, has a wrong option or an unknown carrier
   */
  List<InfoReport.Promises> promises(List<String> specifications) {
    return specifications.stream()
        .map(text -> promises(named(FabricSpec.parse(text, 1, 1).provider()), List.of(text)))
        .toList();
  }

  private Carrier named(String name) {
    return carriers.stream()
        .filter(carrier -> carrier.provider().name().equals(name))
        .findFirst()
        .orElseThrow(() ->
            new IllegalArgumentException(
                "fabric '"
                    + name
                    + "' is unknown: this installation has "
                    + carriers.stream().map(carrier -> carrier.provider().name()).toList()));
  }

  private static InfoReport.Promises promises(Carrier carrier, List<String> specifications) {
    FabricProvider provider = carrier.provider();
    return new InfoReport.Promises(
        provider.name(),
        provider.summary(),
        carrier.cause(),
        specifications.stream().map(text -> Promise.of(provider, text)).toList());
  }
}
