// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.numeric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class Fp8E4M3Test {
  private static final int LARGEST = 0x7E;

  private final NearestNeighbour nearest =
      new NearestNeighbour(LARGEST + 1, Fp8E4M3Test::definition);

  @Test
  void shouldRoundTripEveryPattern() {
    for (int pattern = 0; pattern < 256; pattern++) {
      float value = Fp8E4M3.toFloat((byte) pattern);
      assertEquals((pattern & 0x7F) == 0x7F, Float.isNaN(value));
      if (!Float.isNaN(value)) {
        assertEquals(pattern, Fp8E4M3.fromFloat(value) & 0xFF);
      }
    }
    assertEquals(0x7F, Fp8E4M3.fromFloat(Float.NaN) & 0x7F);
    assertEquals(0xFF, Fp8E4M3.fromFloat(Float.intBitsToFloat(0xFFC0_0000)) & 0xFF);
  }

  @Test
  void shouldDecodeAsTheDefinitionSays() {
    for (int pattern = 0; pattern <= LARGEST; pattern++) {
      assertEquals(definition(pattern), Fp8E4M3.toFloat((byte) pattern));
      assertEquals(-definition(pattern), Fp8E4M3.toFloat((byte) (pattern | 0x80)));
    }
    assertEquals(448f, Fp8E4M3.toFloat((byte) LARGEST));
  }

  @Test
  void shouldRoundToTheNearestAtEveryMidpointAndItsNeighbours() {
    for (int pattern = 0; pattern < LARGEST; pattern++) {
      float midpoint = (float) ((definition(pattern) + definition(pattern + 1)) / 2);
      assertRounds(Math.nextDown(midpoint));
      assertRounds(midpoint);
      assertRounds(Math.nextUp(midpoint));
    }
  }

  @Test
  void shouldRoundToTheNearestOverTheWholeRange() {
    SplittableRandom random = new SplittableRandom(2);
    int largest = Float.floatToRawIntBits(Fp8E4M3.MAX);
    for (int i = 0; i < 200_000; i++) {
      assertRounds(Float.intBitsToFloat(random.nextInt(largest + 1)));
    }
    assertRounds(Float.MIN_VALUE);
    assertRounds(Float.MIN_NORMAL);
  }

  @Test
  void shouldSaturateAboveTheLargest() {
    float[] tooLarge = {Math.nextUp(448f), 463f, 464f, 480f, 1e9f, Float.POSITIVE_INFINITY};
    for (float value : tooLarge) {
      assertEquals(LARGEST, Fp8E4M3.fromFloat(value), () -> "of " + value);
      assertEquals(LARGEST | 0x80, Fp8E4M3.fromFloat(-value) & 0xFF);
    }
  }

  @Test
  void shouldKeepTheSignOfZero() {
    assertEquals(0x80, Fp8E4M3.fromFloat(-0f) & 0xFF);
    assertTrue(Float.floatToRawIntBits(Fp8E4M3.toFloat((byte) 0x80)) < 0);
  }

  private void assertRounds(float value) {
    assertEquals(nearest.round(value), Fp8E4M3.fromFloat(value), () -> "of " + value);
    assertEquals(nearest.round(value) | 0x80, Fp8E4M3.fromFloat(-value) & 0xFF);
  }

  private static double definition(int pattern) {
    int exponent = pattern >>> 3;
    int fraction = pattern & 7;
    return exponent == 0 ? fraction * 0x1p-9 : (8 + fraction) * Math.pow(2, exponent - 7 - 3);
  }
}
