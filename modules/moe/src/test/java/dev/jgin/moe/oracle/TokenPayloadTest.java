// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.oracle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jgin.moe.numeric.DType;
import dev.jgin.moe.numeric.ScaleFormat;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TokenPayloadTest {
  private static final int HIDDEN = 256;

  @ParameterizedTest
  @EnumSource(DType.class)
  void shouldDifferInEveryElementFromThreeEpochsBefore(DType dtype) {
    OracleShape shape = shape(dtype, ScaleFormat.NONE);
    TokenPayload payload = new TokenPayload(shape, 7);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment now = arena.allocate(shape.rowBytes());
      MemorySegment before = arena.allocate(shape.rowBytes());
      payload.writeRow(3, 5, 10, now, 0);
      for (int age = 1; age <= 3; age++) {
        payload.writeRow(3, 5, 10 - age, before, 0);
        for (int i = 0; i < HIDDEN; i++) {
          long at = i * dtype.bytes();
          assertNotEquals(Scalars.bits(dtype, now, at), Scalars.bits(dtype, before, at));
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(DType.class)
  void shouldSpreadFiniteValuesOfBothSigns(DType dtype) {
    OracleShape shape = shape(dtype, ScaleFormat.NONE);
    int negative = 0;
    int small = 0;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment row = arena.allocate(shape.rowBytes());
      new TokenPayload(shape, 7).writeRow(0, 0, 1, row, 0);
      for (int i = 0; i < HIDDEN; i++) {
        float value = Scalars.read(dtype, row, i * dtype.bytes());
        assertTrue(Math.abs(value) >= 0.125f && Math.abs(value) < 2f, () -> "value " + value);
        negative += value < 0 ? 1 : 0;
        small += Math.abs(value) < 0.5f ? 1 : 0;
      }
    }
    assertTrue(negative > HIDDEN / 4 && negative < 3 * HIDDEN / 4);
    assertTrue(small > HIDDEN / 4 && small < 3 * HIDDEN / 4);
  }

  @Test
  void shouldGiveEachRankAndTokenARowOfItsOwn() {
    OracleShape shape = shape(DType.FP8_E4M3, ScaleFormat.UE8M0);
    TokenPayload payload = new TokenPayload(shape, 1);
    Set<String> rows = new HashSet<>();
    for (int rank = 0; rank < 16; rank++) {
      for (int token = 0; token < 64; token++) {
        byte[] row = new byte[(int) shape.rowBytes()];
        payload.writeRow(rank, token, 1, MemorySegment.ofArray(row), 0);
        rows.add(HexFormat.of().formatHex(row));
      }
    }
    assertEquals(16 * 64, rows.size());
  }

  @ParameterizedTest
  @EnumSource(
      value = ScaleFormat.class,
      names = {"FP32", "UE8M0"})
  void shouldDifferInEveryScaleFromThreeEpochsBefore(ScaleFormat format) {
    OracleShape shape = shape(DType.FP8_E4M3, format);
    TokenPayload payload = new TokenPayload(shape, 7);
    MemorySegment now = MemorySegment.ofArray(new byte[(int) shape.scaleBytes()]);
    MemorySegment before = MemorySegment.ofArray(new byte[(int) shape.scaleBytes()]);
    payload.writeScales(1, 2, 9, now, 0);
    for (int age = 1; age <= 3; age++) {
      payload.writeScales(1, 2, 9 - age, before, 0);
      for (int i = 0; i < HIDDEN; i += ScaleFormat.BLOCK) {
        float scale = Scalars.scale(format, now, 0, i);
        assertTrue(scale >= 0.125f && scale < 2f, () -> "scale " + scale);
        assertNotEquals(scale, Scalars.scale(format, before, 0, i));
      }
    }
  }

  private static OracleShape shape(DType dtype, ScaleFormat scales) {
    return new OracleShape(16, 64, HIDDEN, dtype, scales, DType.BF16, 1);
  }
}
