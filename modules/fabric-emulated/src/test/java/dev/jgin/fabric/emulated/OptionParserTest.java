// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.emulated;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jgin.fabric.emulated.EmulatedOptions.Mode;
import dev.jgin.gin.spi.Axiom;
import dev.jgin.gin.spi.FabricSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OptionParserTest {

  private static EmulatedOptions parse(String text) {
    return EmulatedOptions.parse(FabricSpec.parse(text, 4, 9));
  }

  @Test
  void shouldBePlainByDefault() {
    EmulatedOptions options = parse("emulated");
    assertEquals(Mode.PLAIN, options.mode());
    assertEquals(8, options.granule());
    assertEquals(1024, options.depth());
  }

  @Test
  void shouldReadEveryOption() {
    EmulatedOptions options =
        parse("emulated:adversarial,threads=3,a1w=off,a4=off,granule=128,mtu=1024,depth=32,psn=5");
    assertEquals(Mode.ADVERSARIAL, options.mode());
    assertEquals(3, options.threads());
    assertFalse(options.rules().axioms().promises(Axiom.A1W));
    assertTrue(options.rules().axioms().promises(Axiom.A1S));
    assertFalse(options.rules().axioms().promises(Axiom.A4));
    assertTrue(options.rules().axioms().promises(Axiom.A6));
    assertEquals(128, options.rules().axioms().granuleBytes());
    assertEquals(10, options.mtuShift());
    assertEquals(32, options.depth());
    assertEquals(5, options.initialPsn(1, 2, 3, 1));
  }

  @Test
  void shouldPromiseWhatReliableConnectedDoesAndNothingBetweenLanes() {
    assertEquals(
        dev.jgin.gin.spi.Axioms.reliableConnected(64),
        parse("emulated:adversarial").rules().axioms());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "emulated:fast|option 'fast' is unknown",
        "emulated:adversarial=yes|takes no value, but 'yes'",
        "emulated:adversarial,ordered|exclude each other",
        "emulated:adversarial,a4=no|option 'a4' is 'no': it must be on or off",
        "emulated:a4=off|plain mode performs operations in order: add adversarial",
        "emulated:threads|plain mode performs operations in order: add adversarial",
        "emulated:granule=100|granule = 100: it must be a power of two in 8..4096",
        "emulated:granule=8192|option 'granule' is '8192': it must be a number in 8..4096",
        "emulated:mtu=x|option 'mtu' is 'x': it must be a number in 256..1048576",
        "emulated:depth=0|option 'depth' is '0'",
        "emulated:psn=16777216|option 'psn' is '16777216'",
        "emulated:adversarial,threads=99|option 'threads' is '99': it must be a number in 1..16",
      })
  void shouldSayWhatIsWrongAndWhatIsKnown(String text, String why) {
    String message = assertThrows(IllegalArgumentException.class, () -> parse(text)).getMessage();
    assertTrue(message.contains(why), message);
    assertTrue(message.contains(text) && message.contains("a1w|a1s|a4|a6=on|off"), message);
  }
}
