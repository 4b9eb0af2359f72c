// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.numeric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BlockQuantizerTest {
  private final SplittableRandom random = new SplittableRandom(5);

  @Test
  void shouldCountTheScalesOfARow() {
    assertEquals(0, ScaleFormat.NONE.bytesPerRow(7168));
    assertEquals(56 * 4, ScaleFormat.FP32.bytesPerRow(7168));
    assertEquals(56, ScaleFormat.UE8M0.bytesPerRow(7168));
    assertEquals(2 * 4, ScaleFormat.FP32.bytesPerRow(129));
    assertEquals(0, ScaleFormat.FP32.bytesPerRow(0));
  }

  @ParameterizedTest
  @EnumSource
  void shouldStayWithinHalfAUnitOfEachBlock(ScaleFormat format) {
    for (int n : new int[] {0, 1, 100, 128, 129, 7168}) {
      float[] row = new float[n];
      for (int i = 0; i < n; i++) {
        // Each block at a magnitude of its own.
        row[i] = (float) (random.nextGaussian() * Math.pow(2, i / 128 % 8));
      }
      Quantized q = quantize(format, row);
      float[] back = q.dequantize();
      for (int i = 0; i < n; i++) {
        double scale = q.scale(i / 128);
        double quotient = Math.abs(row[i]) / scale;
        double unit = Math.max(0x1p-9, Math.ulp((float) quotient) * 0x1p20);
        assertTrue(
            Math.abs(row[i] - back[i]) <= scale * unit * 0.5001, row[i] + " became " + back[i]);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"FP32", "UE8M0"})
  void shouldTakeTheScaleFromTheLargestOfEachBlockAlone(ScaleFormat format) {
    float[] row = new float[300];
    row[5] = -896f;
    row[127] = 3f;
    row[299] = 448f * 5;
    Quantized q = quantize(format, row);
    assertEquals(2f, q.scale(0));
    assertEquals(1f, q.scale(1), "a block of zeros");
    assertEquals(format == ScaleFormat.FP32 ? 5f : 8f, q.scale(2), "a short block, rounded up");
  }

  @ParameterizedTest
  @EnumSource(names = {"FP32", "UE8M0"})
  void shouldNotOverflowAtAnyMagnitude(ScaleFormat format) {
    for (int exponent = -149; exponent < 127; exponent++) {
      float[] row = {Math.scalb(1f, exponent), Math.scalb(-1.9f, exponent), 0f};
      float[] back = quantize(format, row).dequantize();
      assertTrue(Float.isFinite(back[0]) && Float.isFinite(back[1]), "at 2^" + exponent);
      assertEquals(0f, back[2]);
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldKeepNanAndSaturateInfinity(ScaleFormat format) {
    float[] row = {1f, Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, -448f};
    float[] back = quantize(format, row).dequantize();
    assertEquals(1f, back[0]);
    assertTrue(Float.isNaN(back[1]));
    assertEquals(448f, back[2]);
    assertEquals(-448f, back[3]);
    assertEquals(-448f, back[4]);
  }

  @Test
  void shouldBeStableWhenRepeatedWithPowersOfTwo() {
    float[] row = new float[1000];
    for (int i = 0; i < row.length; i++) {
      row[i] = (float) random.nextGaussian();
    }
    float[] once = quantize(ScaleFormat.UE8M0, row).dequantize();
    float[] twice = quantize(ScaleFormat.UE8M0, once).dequantize();
    for (int i = 0; i < row.length; i++) {
      assertEquals(once[i], twice[i]);
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldAccumulateWhatItDequantizes(ScaleFormat format) {
    float[] row = new float[333];
    float[] acc = new float[333];
    float[] expected = new float[333];
    for (int i = 0; i < row.length; i++) {
      row[i] = (float) random.nextGaussian();
      acc[i] = (float) random.nextGaussian();
    }
    Quantized q = quantize(format, row);
    float[] back = q.dequantize();
    for (int i = 0; i < row.length; i++) {
      float product = 0.7f * back[i];
      expected[i] = acc[i] + product;
    }
    new BlockQuantizer(format).accumulate(q.data, 1, q.scales, 1, acc, row.length, 0.7f);
    for (int i = 0; i < row.length; i++) {
      assertEquals(expected[i], acc[i]);
    }
  }

  /** A row and its scales, both at offset 1 so that a forgotten offset shows. */
  private record Quantized(ScaleFormat format, int n, MemorySegment data, MemorySegment scales) {
    float scale(int block) {
      return new BlockQuantizer(format).readScale(scales, 1, block);
    }

    float[] dequantize() {
      float[] back = new float[n];
      new BlockQuantizer(format)
          .dequantize(data, 1, scales, 1, n, DType.FP32, MemorySegment.ofArray(back), 0);
      return back;
    }
  }

  private static Quantized quantize(ScaleFormat format, float[] row) {
    int n = row.length;
    MemorySegment data = MemorySegment.ofArray(new byte[1 + n]);
    MemorySegment scales = MemorySegment.ofArray(new byte[1 + (int) format.bytesPerRow(n)]);
    new BlockQuantizer(format)
        .quantize(DType.FP32, MemorySegment.ofArray(row), 0, n, data, 1, scales, 1);
    return new Quantized(format, n, data, scales);
  }
}
