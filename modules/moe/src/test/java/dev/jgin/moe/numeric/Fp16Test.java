// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.numeric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class Fp16Test {
  private static final int INFINITY = 0x7C00;

  @Test
  void shouldRoundTripEveryPattern() {
    for (int pattern = 0; pattern < 65_536; pattern++) {
      float value = Fp16.toFloat((short) pattern);
      int back = Fp16.fromFloat(value) & 0xFFFF;
      if (Float.isNaN(value)) {
        assertTrue(Float.isNaN(Fp16.toFloat((short) back)));
      } else {
        assertEquals(pattern, back);
      }
    }
  }

  @Test
  void shouldDecodeAsTheDefinitionSays() {
    for (int pattern = 0; pattern < INFINITY; pattern++) {
      assertEquals(definition(pattern), Fp16.toFloat((short) pattern));
    }
  }

  @Test
  void shouldRoundToTheNearestAtEveryMidpointAndItsNeighbours() {
    NearestNeighbour nearest = new NearestNeighbour(INFINITY, Fp16Test::definition);
    for (int pattern = 0; pattern < INFINITY - 1; pattern++) {
      float midpoint = (float) ((definition(pattern) + definition(pattern + 1)) / 2);
      for (float value : new float[] {Math.nextDown(midpoint), midpoint, Math.nextUp(midpoint)}) {
        assertEquals(nearest.round(value), Fp16.fromFloat(value), () -> "of " + value);
        assertEquals(nearest.round(value) | 0x8000, Fp16.fromFloat(-value) & 0xFFFF);
      }
    }
  }

  @Test
  void shouldOverflowToInfinityFromHalfAUnitAboveTheLargest() {
    assertEquals(INFINITY - 1, Fp16.fromFloat(Math.nextDown(65_520f)));
    assertEquals(INFINITY, Fp16.fromFloat(65_520f));
  }

  private static double definition(int pattern) {
    int exponent = pattern >>> 10;
    int fraction = pattern & 0x3FF;
    return exponent == 0 ? fraction * 0x1p-24 : (1024 + fraction) * Math.pow(2, exponent - 15 - 10);
  }
}
