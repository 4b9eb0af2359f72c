// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.numeric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RowAccumulatorTest {
  private static final int CAPACITY = 1100;
  private static final long ODD_OFFSET = 3;

  private final SplittableRandom random = new SplittableRandom(6);

  @ParameterizedTest
  @EnumSource
  void shouldEqualTheScalarSumBitForBit(DType dtype) {
    try (Arena arena = Arena.ofConfined()) {
      RowAccumulator accumulator = new RowAccumulator(dtype, CAPACITY);
      for (int n : new int[] {0, 1, 2, 3, 16, 127, 513, CAPACITY - 1, CAPACITY, 5}) {
        float[] expected = new float[n];
        accumulator.clear(n);
        for (int lane = 0; lane < 8; lane++) {
          MemorySegment row = randomRow(arena, dtype, n);
          float weight = (float) random.nextGaussian();
          for (int i = 0; i < n; i++) {
            float product = weight * Elements.read(dtype, row, ODD_OFFSET, i);
            expected[i] = expected[i] + product;
          }
          accumulator.add(row, ODD_OFFSET, weight);
        }
        for (int i = 0; i < n; i++) {
          assertEquals(Float.floatToIntBits(expected[i]), Float.floatToIntBits(accumulator.get(i)));
        }
        for (DType dstType : DType.values()) {
          assertStores(arena, accumulator, expected, dstType);
        }
      }
    }
  }

  private static void assertStores(
      Arena arena, RowAccumulator accumulator, float[] expected, DType dstType) {
    int n = expected.length;
    MemorySegment stored = arena.allocate(ODD_OFFSET + dstType.bytes(n) + 8);
    MemorySegment single = arena.allocate(ODD_OFFSET + dstType.bytes(n) + 8);
    accumulator.store(dstType, stored, ODD_OFFSET);
    for (int i = 0; i < n; i++) {
      Elements.write(dstType, single, ODD_OFFSET, i, accumulator.get(i));
    }
    assertEquals(-1, stored.mismatch(single), "including the bytes after the row");
  }

  @ParameterizedTest
  @EnumSource
  void shouldAllocateNothing(DType dtype) {
    try (Arena arena = Arena.ofConfined()) {
      RowAccumulator accumulator = new RowAccumulator(dtype, CAPACITY);
      MemorySegment row = randomRow(arena, dtype, CAPACITY);
      MemorySegment out = arena.allocate(ODD_OFFSET + dtype.bytes(CAPACITY));
      sum(accumulator, row, out, 20_000);
      long before = allocatedBytes();
      sum(accumulator, row, out, 1_000);
      long allocated = allocatedBytes() - before;
      // One stray object of the measurement is allowed; one per row is not.
      assertEquals(0, allocated / 1_000, () -> allocated + " bytes");
    }
  }

  @Test
  void shouldRefuseRowsThatDoNotFit() {
    RowAccumulator accumulator = new RowAccumulator(DType.BF16, 7);
    assertThrows(IndexOutOfBoundsException.class, () -> accumulator.clear(8));
    assertThrows(IndexOutOfBoundsException.class, () -> accumulator.clear(-1));
    accumulator.clear(7);
    MemorySegment small = MemorySegment.ofArray(new byte[13]);
    assertThrows(IndexOutOfBoundsException.class, () -> accumulator.add(small, 0, 1f));
    assertThrows(IndexOutOfBoundsException.class, () -> accumulator.store(DType.BF16, small, 0));
    assertThrows(IndexOutOfBoundsException.class, () -> accumulator.get(7));
    assertThrows(IllegalArgumentException.class, () -> new RowAccumulator(DType.BF16, -1));
  }

  private static void sum(RowAccumulator accumulator, MemorySegment row, MemorySegment out, int n) {
    for (int repeat = 0; repeat < n; repeat++) {
      accumulator.clear(CAPACITY);
      accumulator.add(row, ODD_OFFSET, 0.5f);
      accumulator.store(accumulator.rowType(), out, ODD_OFFSET);
    }
  }

  private static long allocatedBytes() {
    return ((com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean())
        .getCurrentThreadAllocatedBytes();
  }

  private MemorySegment randomRow(Arena arena, DType dtype, int n) {
    MemorySegment row = arena.allocate(ODD_OFFSET + dtype.bytes(n));
    for (long i = 0; i < row.byteSize(); i++) {
      row.set(ValueLayout.JAVA_BYTE, i, (byte) random.nextInt());
    }
    return row;
  }
}
