// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.emulated;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jgin.gin.contract.AxiomProbe;
import dev.jgin.gin.spi.Axiom;
import dev.jgin.gin.spi.FabricSpec;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Positive control of every switch: a promise that is not made is seen broken. */
class BrokenAxiomTest {

  private static final int SEEDS = 20;

  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      value = {
        "emulated:adversarial A2_ACROSS_LANES",
        "emulated:adversarial A3_COMPLETION_IS_VISIBLE",
        "emulated:adversarial,a1w=off A1W",
        "emulated:adversarial,a1s=off A1S",
        "emulated:adversarial,a4=off A4",
        "emulated:adversarial,a6=off A6",
        "emulated:adversarial,threads=2 A2_ACROSS_LANES",
        "emulated:adversarial,threads=2 A3_COMPLETION_IS_VISIBLE",
        "emulated:adversarial,threads=2,a1w=off A1W",
        "emulated:adversarial,threads=2,a1s=off A1S",
        "emulated:adversarial,threads=2,a4=off A4",
        "emulated:adversarial,threads=2,a6=off A6",
      })
  void shouldBeSeenBrokenWhereItIsNotPromised(String fabric, Axiom axiom) {
    EmulatedOptions options = EmulatedOptions.parse(FabricSpec.parse(fabric, 2, 1));
    assertFalse(options.rules().axioms().promises(axiom));
    boolean seen = false;
    for (long seed = 1; seed <= SEEDS && !seen; seed++) {
      seen = AxiomProbe.breaks(fabric, axiom, seed);
    }
    assertTrue(seen, fabric + " kept " + axiom + " in seeds 1.." + SEEDS);
  }
}
