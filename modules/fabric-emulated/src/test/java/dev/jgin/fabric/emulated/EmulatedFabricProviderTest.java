// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.emulated;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jgin.gin.Fabrics;
import dev.jgin.gin.InProcessBootstrap;
import dev.jgin.gin.spi.Bootstrap;
import dev.jgin.gin.spi.Fabric;
import dev.jgin.gin.spi.FabricSpec;
import dev.jgin.gin.spi.RegionKind;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EmulatedFabricProviderTest {

  @Test
  void shouldBeFoundByNameAndAlwaysBeAvailable() {
    FabricSpec spec = FabricSpec.parse("emulated", 1, 1);
    assertEquals(EmulatedFabricProvider.class, Fabrics.require(spec).getClass());
    assertTrue(Fabrics.require(spec).isAvailable());
  }

  @Test
  void shouldRefuseRanksThatOpenDifferently() {
    List<Bootstrap> world = InProcessBootstrap.world(2);
    EmulatedFabricProvider provider = new EmulatedFabricProvider();
    AssertionError e =
        assertThrows(
            AssertionError.class,
            () ->
                World.onThreads(
                    2, r -> provider.open(FabricSpec.parse("emulated", 1 + r, 1), world.get(r))));
    String message = e.getCause().getMessage();
    assertTrue(message.contains("contexts=1") && message.contains("contexts=2"), message);
  }

  @Test
  void shouldOpenSeveralWorldsOverOneBootstrap() {
    List<Bootstrap> bootstraps = InProcessBootstrap.world(2);
    EmulatedFabricProvider provider = new EmulatedFabricProvider();
    FabricSpec spec = FabricSpec.parse("emulated:adversarial", 1, 1);
    List<Fabric> first = World.onThreads(2, r -> provider.open(spec, bootstraps.get(r)));
    List<Fabric> second = World.onThreads(2, r -> provider.open(spec, bootstraps.get(r)));
    first.forEach(Fabric::close);
    first.forEach(Fabric::close);
    World.onThreads(2, r -> second.get(r).register("alive", 8, RegionKind.DATA));
    second.forEach(Fabric::close);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "emulated",
        "emulated:granule=64",
        "emulated:adversarial",
        "emulated:ordered,a4=off,granule=128",
        "emulated:adversarial,a1w=off,a6=off"
      })
  void shouldTellBeforehandWhatAnOpenFabricPromises(String text) {
    FabricSpec spec = FabricSpec.parse(text, 2, 1);
    EmulatedFabricProvider provider = new EmulatedFabricProvider();
    try (Fabric fabric = provider.open(spec, InProcessBootstrap.world(1).getFirst())) {
      assertEquals(Optional.of(fabric.axioms()), provider.axioms(spec));
    }
  }

  @Test
  void shouldOfferPresetsThatPromiseDifferentThings() {
    EmulatedFabricProvider provider = new EmulatedFabricProvider();
    List<String> presets = provider.presets();
    assertEquals("emulated", presets.getFirst());
    assertEquals(
        presets.size(),
        presets.stream()
            .map(preset -> provider.axioms(FabricSpec.parse(preset, 1, 1)).orElseThrow())
            .distinct()
            .count());
  }

  @Test
  void shouldRefuseTheSameOptionsAsOpening() {
    FabricSpec spec = FabricSpec.parse("emulated:a4=off", 1, 1);
    EmulatedFabricProvider provider = new EmulatedFabricProvider();
    assertThrows(IllegalArgumentException.class, () -> provider.axioms(spec));
  }

  @Test
  void shouldSayWhenMemoryCannotBeHad() {
    try (World world = World.open("emulated", 2, 1, 1)) {
      AssertionError e =
          assertThrows(
              AssertionError.class, () -> world.register("vast", 1L << 60, RegionKind.DATA));
      String message = e.getCause().getMessage();
      assertTrue(
          message.contains("cannot allocate " + (1L << 60) + " bytes of native memory"), message);
    }
  }
}
