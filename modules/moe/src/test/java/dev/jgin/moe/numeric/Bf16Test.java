// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.numeric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class Bf16Test {
  private static final int INFINITY = 0x7F80;

  @Test
  void shouldRoundTripEveryPattern() {
    for (int pattern = 0; pattern < 65_536; pattern++) {
      float value = Bf16.toFloat((short) pattern);
      int back = Bf16.fromFloat(value) & 0xFFFF;
      if (Float.isNaN(value)) {
        assertEquals(pattern | 0x40, back, "a NaN keeps sign and payload and becomes quiet");
      } else {
        assertEquals(pattern, back);
      }
    }
  }

  @Test
  void shouldRoundToTheNearestAtEveryMidpointAndItsNeighbours() {
    NearestNeighbour nearest = new NearestNeighbour(INFINITY, p -> Bf16.toFloat((short) p));
    for (int pattern = 0; pattern < INFINITY - 1; pattern++) {
      int midpoint = (pattern << 16) | 0x8000;
      for (int bits = midpoint - 2; bits <= midpoint + 2; bits++) {
        float value = Float.intBitsToFloat(bits);
        assertEquals(nearest.round(value), Bf16.fromFloat(value), () -> "of " + value);
        assertEquals(nearest.round(value) | 0x8000, Bf16.fromFloat(-value) & 0xFFFF);
      }
    }
  }

  @Test
  void shouldOverflowToInfinityFromHalfAUnitAboveTheLargest() {
    assertEquals(INFINITY - 1, Bf16.fromFloat(Float.intBitsToFloat(0x7F7F_7FFF)));
    assertEquals(INFINITY, Bf16.fromFloat(Float.intBitsToFloat(0x7F7F_8000)));
    assertEquals(INFINITY, Bf16.fromFloat(Float.MAX_VALUE));
    assertEquals(INFINITY, Bf16.fromFloat(Float.POSITIVE_INFINITY));
    assertEquals(INFINITY | 0x8000, Bf16.fromFloat(Float.NEGATIVE_INFINITY) & 0xFFFF);
  }

  @Test
  void shouldKeepEveryNanANan() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 100_000; i++) {
      // The lowest and the fullest payloads are those that a rounding carry destroys.
      int payload =
          switch (i % 3) {
            case 0 -> 1 + (i & 0xFF);
            case 1 -> 0x7F_FFFF - (i & 0xFF);
            default -> random.nextInt(1, 0x80_0000);
          };
      int sign = i << 31;
      float nan = Float.intBitsToFloat(sign | 0x7F80_0000 | payload);
      assertTrue(Float.isNaN(Bf16.toFloat(Bf16.fromFloat(nan))), () -> "payload " + payload);
    }
  }
}
