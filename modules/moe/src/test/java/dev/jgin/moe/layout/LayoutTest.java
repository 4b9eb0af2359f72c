// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.layout;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class LayoutTest {
  @Test
  void shouldKeepThePartsOfARowAtMultiplesOf16() {
    RowLayout row = new RowLayout(6, 7168, 224);
    assertEquals(32, row.idAt(0));
    assertEquals(32 + 24, row.weightAt(0));
    assertEquals(80, row.payloadAt());
    assertEquals(80 + 7168, row.scalesAt());
    assertEquals(80 + 7168 + 224, row.bytes());
    assertEquals(0, new RowLayout(7, 16, 1).bytes() % 16);
    assertEquals(7552, RowLayout.stride(row.bytes()));
  }

  @Test
  void shouldKeepCountsBehindTheHead() {
    assertEquals(32, CountLayout.countAt(0));
    assertEquals(32 + 64, new CountLayout(16).bytes());
    assertEquals(48, new CountLayout(1).bytes());
  }

  @Test
  void shouldPrefixAReturnedRowWithItsHeader() {
    assertEquals(32 + 14336, new CombineLayout(14336).bytes());
  }
}
