// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.numeric;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ElementsTest {
  private static final int MAX_N = 1100;
  private static final long ODD_OFFSET = 3;

  private final SplittableRandom random = new SplittableRandom(4);

  @ParameterizedTest
  @EnumSource
  void shouldLoadARowLikeItsElements(DType dtype) {
    try (Arena arena = Arena.ofConfined()) {
      for (int n : lengths()) {
        MemorySegment row = randomBytes(arena, dtype, n);
        float[] loaded = new float[n];
        Elements.load(dtype, row, ODD_OFFSET, loaded, n);
        for (int i = 0; i < n; i++) {
          assertSameBits(Elements.read(dtype, row, ODD_OFFSET, i), loaded[i]);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldStoreARowLikeItsElements(DType dtype) {
    try (Arena arena = Arena.ofConfined()) {
      for (int n : lengths()) {
        float[] row = randomFloats(n);
        MemorySegment bulk = arena.allocate(ODD_OFFSET + dtype.bytes(MAX_N));
        MemorySegment single = arena.allocate(ODD_OFFSET + dtype.bytes(MAX_N));
        Elements.store(dtype, row, bulk, ODD_OFFSET, n);
        for (int i = 0; i < n; i++) {
          Elements.write(dtype, single, ODD_OFFSET, i, row[i]);
        }
        assertEquals(-1, bulk.mismatch(single), "including the bytes after the row");
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldAccumulateInTwoRoundings(DType dtype) {
    try (Arena arena = Arena.ofConfined()) {
      for (int n : lengths()) {
        MemorySegment row = randomBytes(arena, dtype, n);
        float[] acc = randomFloats(n);
        float[] expected = new float[n];
        float weight = (float) random.nextGaussian();
        for (int i = 0; i < n; i++) {
          float product = weight * Elements.read(dtype, row, ODD_OFFSET, i);
          expected[i] = acc[i] + product;
        }
        Elements.accumulate(dtype, row, ODD_OFFSET, acc, n, weight);
        for (int i = 0; i < n; i++) {
          assertSameBits(expected[i], acc[i]);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldGiveTheSameBitsBeforeAndAfterCompilation(DType dtype) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment row = randomBytes(arena, dtype, MAX_N);
      float[] first = new float[MAX_N];
      Elements.accumulate(dtype, row, ODD_OFFSET, first, MAX_N, 0.3f);
      for (int repeat = 0; repeat < 5_000; repeat++) {
        float[] acc = new float[MAX_N];
        Elements.accumulate(dtype, row, ODD_OFFSET, acc, MAX_N, 0.3f);
        assertArrayEquals(first, acc);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldRefuseARowThatLeavesItsSegment(DType dtype) {
    MemorySegment segment = MemorySegment.ofArray(new byte[64]);
    int tooMany = (int) (64 / dtype.bytes()) + 1;
    float[] row = new float[tooMany];
    assertThrows(
        IndexOutOfBoundsException.class, () -> Elements.load(dtype, segment, 0, row, tooMany));
    assertThrows(
        IndexOutOfBoundsException.class, () -> Elements.store(dtype, row, segment, 0, tooMany));
    assertThrows(
        IndexOutOfBoundsException.class,
        () -> Elements.accumulate(dtype, segment, 0, row, tooMany, 1f));
  }

  private MemorySegment randomBytes(Arena arena, DType dtype, int n) {
    MemorySegment row = arena.allocate(ODD_OFFSET + dtype.bytes(n));
    for (long i = 0; i < row.byteSize(); i++) {
      row.set(ValueLayout.JAVA_BYTE, i, (byte) random.nextInt());
    }
    return row;
  }

  /** Ordinary values among every kind of bit pattern. */
  private float[] randomFloats(int n) {
    float[] row = new float[n];
    for (int i = 0; i < n; i++) {
      row[i] = i % 2 == 0 ? (float) random.nextGaussian() : Float.intBitsToFloat(random.nextInt());
    }
    return row;
  }

  private static int[] lengths() {
    return new int[] {0, 1, 2, 7, 16, 127, 128, 129, 511, 512, 513, MAX_N};
  }

  /** Which of two NaN payloads survives a sum is not specified: one NaN is as good as another. */
  private static void assertSameBits(float expected, float actual) {
    assertEquals(Float.floatToIntBits(expected), Float.floatToIntBits(actual));
  }
}
