// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.numeric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class Ue8m0Test {
  @Test
  void shouldRoundTripEveryPattern() {
    for (int pattern = 0; pattern < 255; pattern++) {
      float value = Ue8m0.toFloat((byte) pattern);
      assertEquals(Math.pow(2, pattern - 127), value);
      assertEquals(pattern, Ue8m0.ceil(value) & 0xFF);
    }
    assertTrue(Float.isNaN(Ue8m0.toFloat(Ue8m0.NAN)));
    assertEquals(Ue8m0.NAN, Ue8m0.ceil(Float.NaN));
  }

  @Test
  void shouldTakeTheSmallestPowerThatIsNotBelow() {
    SplittableRandom random = new SplittableRandom(3);
    for (int i = 0; i < 200_000; i++) {
      float scale = Float.intBitsToFloat(random.nextInt(1, Float.floatToRawIntBits(0x1p127f) + 1));
      int pattern = Ue8m0.ceil(scale) & 0xFF;
      assertTrue(Math.pow(2, pattern - 127) >= scale, () -> "below " + scale);
      assertTrue(pattern == 0 || Math.pow(2, pattern - 128) < scale, () -> "too large: " + scale);
    }
  }

  @Test
  void shouldBoundWhatHasNoPower() {
    assertEquals(0, Ue8m0.ceil(0f));
    assertEquals(0, Ue8m0.ceil(-0f));
    assertEquals(0, Ue8m0.ceil(Float.MIN_VALUE));
    assertEquals(1, Ue8m0.ceil(Math.nextUp(0x1p-127f)));
    assertEquals(Ue8m0.NAN, Ue8m0.ceil(-1f));
    assertEquals(Ue8m0.NAN, Ue8m0.ceil(Math.nextUp(0x1p127f)));
    assertEquals(Ue8m0.NAN, Ue8m0.ceil(Float.POSITIVE_INFINITY));
  }
}
