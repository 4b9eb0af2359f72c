// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jgin.moe.numeric.DType;
import dev.jgin.moe.numeric.Elements;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BlockSumTest {
  private static final long SEED = Long.getLong("jgin.seed", 3L);
  private static final int ROWS = 5;

  /** Every bit pattern of a 16-bit element comes up, NaNs and infinities included. */
  @ParameterizedTest
  @EnumSource(DType.class)
  void shouldGiveTheBitsOfElements(DType dtype) {
    SplittableRandom random = new SplittableRandom(SEED);
    BlockSum block = new BlockSum(dtype);
    try (Arena arena = Arena.ofConfined()) {
      for (int n : new int[] {2, 8, 62, 256, 1000, BlockSum.BLOCK}) {
        for (int round = 0; round < 40; round++) {
          check(dtype, block, n, random, arena);
        }
      }
    }
  }

  private static void check(
      DType dtype, BlockSum block, int n, SplittableRandom random, Arena arena) {
    byte[] bytes = new byte[(int) dtype.bytes((long) ROWS * n)];
    random.nextBytes(bytes);
    MemorySegment rows = arena.allocate(bytes.length, 16);
    MemorySegment.copy(bytes, 0, rows, ValueLayout.JAVA_BYTE, 0, bytes.length);
    float[] sum = new float[n];
    block.clear(n);
    for (int r = 0; r < ROWS; r++) {
      float weight = random.nextFloat() - 0.5f;
      block.add(rows, dtype.bytes((long) r * n), n, weight);
      Elements.accumulate(dtype, rows, dtype.bytes((long) r * n), sum, n, weight);
    }
    MemorySegment actual = arena.allocate(dtype.bytes(n), 16);
    MemorySegment expected = arena.allocate(dtype.bytes(n), 16);
    block.store(actual, 0, n);
    Elements.store(dtype, sum, expected, 0, n);
    for (int i = 0; i < n; i++) {
      float want = Elements.read(dtype, expected, 0, i);
      float got = Elements.read(dtype, actual, 0, i);
      String where = dtype + ", element " + i + " of " + n + ", seed " + SEED;
      if (Float.isNaN(want)) {
        assertTrue(Float.isNaN(got), where);
      } else {
        assertEquals(Float.floatToRawIntBits(want), Float.floatToRawIntBits(got), where);
      }
    }
  }
}
