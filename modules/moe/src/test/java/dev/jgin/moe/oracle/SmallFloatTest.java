// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.oracle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jgin.moe.numeric.DType;
import dev.jgin.moe.numeric.Elements;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The oracle's number formats against the engine's, which were written another way. */
class SmallFloatTest {
  private static final int RANDOM_VALUES = 300_000;

  @ParameterizedTest
  @EnumSource(DType.class)
  void shouldDecodeEveryPatternAsTheEngineDoes(DType dtype) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment cell = arena.allocate(8);
      for (int pattern = 0; pattern < 1 << Math.min(16, 8 * dtype.bytes()); pattern++) {
        cell.set(java.lang.foreign.ValueLayout.JAVA_INT, 0, pattern);
        float engine = Elements.read(dtype, cell, 0, 0);
        float oracle = Scalars.read(dtype, cell, 0);
        assertTrue(
            Float.isNaN(engine)
                ? Float.isNaN(oracle)
                : Float.floatToRawIntBits(engine) == Float.floatToRawIntBits(oracle),
            () -> dtype + ": " + engine + " and " + oracle);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(DType.class)
  void shouldRoundAnyFloatAsTheEngineDoes(DType dtype) {
    long seed = Long.getLong("jgin.seed", 20260101L);
    SplittableRandom random = new SplittableRandom(seed);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment engine = arena.allocate(8);
      MemorySegment oracle = arena.allocate(8);
      for (int i = 0; i < RANDOM_VALUES; i++) {
        float value = Float.intBitsToFloat(random.nextInt());
        // Half of the values sit on or beside a tie: all lower fraction bits but the first clear.
        if (i % 2 == 0) {
          int drop = i % 4 == 0 ? 16 : 13 + random.nextInt(8);
          int bits = (Float.floatToRawIntBits(value) & -(1 << drop)) | (1 << (drop - 1));
          value = Float.intBitsToFloat(bits + random.nextInt(-1, 2));
        }
        if (Float.isNaN(value)) {
          continue;
        }
        Elements.write(dtype, engine, 0, 0, value);
        Scalars.write(dtype, oracle, 0, value);
        assertEquals(
            Scalars.bits(dtype, engine, 0),
            Scalars.bits(dtype, oracle, 0),
            dtype + " of " + value + ", seed " + seed);
      }
    }
  }

  @Test
  void shouldSaturateEightBitsAndOverflowSixteen() {
    assertEquals(0x7E, SmallFloat.FP8_E4M3.encode(1e9f));
    assertEquals(0xFE, SmallFloat.FP8_E4M3.encode(Float.NEGATIVE_INFINITY));
    assertEquals(0x7C00, SmallFloat.FP16.encode(65520f));
    assertEquals(0x7BFF, SmallFloat.FP16.encode(65519f));
    assertEquals(0x7F80, SmallFloat.BF16.encode(Float.MAX_VALUE));
    assertEquals(0x8000, SmallFloat.BF16.encode(-0f));
  }
}
