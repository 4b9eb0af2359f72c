// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jgin.gin.spi.Axiom;
import dev.jgin.gin.spi.Axioms;
import dev.jgin.gin.spi.FabricSpec;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the provider tells of itself without opening a fabric, with and without devices. */
class VerbsDetailsTest {

  private final VerbsFabricProvider provider = new VerbsFabricProvider();

  private Axioms axioms(String spec) {
    return provider.axioms(FabricSpec.parse(spec, 4, 1)).orElseThrow();
  }

  @Test
  void shouldTellWhatStrictAndRelaxedRegionsPromise() {
    assertEquals(List.of("verbs", "verbs:ro=on"), provider.presets());
    Axioms strict = axioms("verbs");
    assertEquals(Axioms.reliableConnected(strict.granuleBytes()), strict);
    assertEquals(strict.without(Axiom.A1W), axioms("verbs:ro=on"));
  }

  @Test
  void shouldPromiseTheLeastOfAllDevicesWhereThereIsNone() {
    assumeTrue(!provider.isAvailable());
    assertEquals(Long.BYTES, axioms("verbs:device=mlx5_0").granuleBytes());
    assertEquals(List.of(), provider.devices());
  }

  @Test
  void shouldListDevicesWhereItIsAvailable() {
    assertTrue(!provider.isAvailable() || !provider.devices().isEmpty());
    provider.devices().forEach(device -> assertFalse(device.details().isEmpty(), device.name()));
  }

  @Test
  void shouldRefuseTheSameOptionsAsOpening() {
    String why =
        assertThrows(IllegalArgumentException.class, () -> axioms("verbs:ro=perhaps")).getMessage();
    assertTrue(why.contains("it must be on or off"), why);
  }
}
