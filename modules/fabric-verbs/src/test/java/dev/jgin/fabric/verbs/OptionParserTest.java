// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jgin.fabric.verbs.device.CriticalMode;
import dev.jgin.gin.spi.Axiom;
import dev.jgin.gin.spi.FabricSpec;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OptionParserTest {

  private static VerbsOptions parse(String text) {
    return new OptionParser(FabricSpec.parse(text, 1, 1)).parse();
  }

  @Test
  void shouldHaveDefaults() {
    assertEquals(
        new VerbsOptions(List.of(), 1, -1, 0, 0, false, 14, 6, 7, 64, CriticalMode.AUTO, -1, 120),
        parse("verbs"));
  }

  @Test
  void shouldReadEveryOption() {
    assertEquals(
        new VerbsOptions(
            List.of("rxe0"), 2, 3, 1024, 256, true, 12, 3, 6, 0, CriticalMode.OFF, 16777215, 9),
        parse(
            "verbs:device=rxe0,port=2,gid=3,mtu=1024,depth=256,ro=on,timeout=12,retry=3,rnr=6,"
                + "inline=0,critical=off,psn=16777215,connect=9"));
    assertEquals(parse("verbs"), parse("verbs:gid=auto,mtu=auto,depth=auto,ro=off,critical=auto"));
  }

  @Test
  void shouldSpreadRanksOverDevices() {
    VerbsOptions options = parse("verbs:devices=rxe0+rxe1");
    assertEquals("rxe0", options.device(0));
    assertEquals("rxe1", options.device(1));
    assertEquals("rxe0", options.device(2));
    assertEquals("", parse("verbs").device(5));
  }

  @ParameterizedTest
  @CsvSource({
    "verbs:fast, 'fast' is unknown",
    "verbs:port=0, 1..255",
    "verbs:gid=x, 0..255",
    "verbs:mtu=1500, '256, 512'",
    "verbs:depth=96, power of two",
    "verbs:depth=65536, 1..32768",
    "verbs:ro=maybe, on or off",
    "verbs:timeout=0, 1..31",
    "verbs:retry=8, 0..7",
    "verbs:devices=rxe0+, name is empty",
    "verbs:device=, name is empty",
    "verbs:psn=16777216, 0..16777215",
    "verbs:critical=yes, 'auto, on or off'",
    "verbs:connect=0, 1..3600",
  })
  void shouldNameWhatIsWrong(String text, String expected) {
    String why = assertThrows(IllegalArgumentException.class, () -> parse(text)).getMessage();
    assertTrue(why.contains(expected), why);
    assertTrue(why.contains("fabric 'verbs:") && why.contains("options are"), why);
  }

  @Test
  void shouldRefuseTwoWaysToNameDevices() {
    assertThrows(IllegalArgumentException.class, () -> parse("verbs:device=a,devices=b"));
  }

  @Test
  void shouldPromiseOrderOfWritesWithStrictDataAlone() {
    assertTrue(VerbsAxioms.of(false, false).promises(Axiom.A1W));
    assertFalse(VerbsAxioms.of(true, false).promises(Axiom.A1W));
    assertTrue(VerbsAxioms.of(true, false).promises(Axiom.A4), "signal regions stay strict");
    assertEquals(8, VerbsAxioms.of(false, true).granuleBytes());
  }
}
