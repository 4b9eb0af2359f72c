// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gin.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.EnumSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class AxiomsTest {

  @Test
  void shouldDescribeItselfInOneLine() {
    assertEquals("A1w A1s A4 A6, granule 64 B", Axioms.reliableConnected(64).describe());
    assertEquals(
        "no ordering axiom, no granule", new Axioms(EnumSet.noneOf(Axiom.class), 0).describe());
  }

  @ParameterizedTest
  @ValueSource(longs = {-8, 1, 4, 24})
  void shouldRefuseGranulesThatAreNone(long granule) {
    assertThrows(
        IllegalArgumentException.class, () -> new Axioms(EnumSet.noneOf(Axiom.class), granule));
  }

  @ParameterizedTest
  @EnumSource
  void shouldGiveBackTheStatusOfEachErrorWord(LaneStatus status) {
    assertEquals(status, LaneStatus.ofWord(status.word()));
  }

  @Test
  void shouldRefuseUnknownErrorWords() {
    assertThrows(IllegalArgumentException.class, () -> LaneStatus.ofWord(99));
  }
}
