// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gin.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FabricSpecTest {

  @Test
  void shouldReadProviderAndOptionsInOrder() {
    FabricSpec spec = FabricSpec.parse("emulated:adversarial,a4=off,granule=64", 4, 7);
    assertEquals("emulated", spec.provider());
    assertEquals("[adversarial, a4, granule]", spec.options().keySet().toString());
    assertEquals("off", spec.options().get("a4"));
    assertEquals("", spec.options().get("adversarial"));
    assertEquals("emulated:adversarial,a4=off,granule=64", spec.text());
    assertEquals("emulated", FabricSpec.parse("emulated", 1, 0).text());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ":a", "x:", "x:a,,b", "x:=1", "x:a,a"})
  void shouldRefuseWhatItCannotRead(String text) {
    String why =
        assertThrows(IllegalArgumentException.class, () -> FabricSpec.parse(text, 1, 0))
            .getMessage();
    assertTrue(why.contains("'" + text + "'") && why.contains("for example"), why);
  }

  @Test
  void shouldRefuseContextsOutOfRange() {
    assertThrows(IllegalArgumentException.class, () -> FabricSpec.parse("x", 0, 0));
    assertThrows(IllegalArgumentException.class, () -> FabricSpec.parse("x", 257, 0));
  }
}
