// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.numeric;

import static dev.jgin.moe.numeric.ScaleFormat.BLOCK;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Quantises rows to FP8 E4M3 with one scale per block of {@value ScaleFormat#BLOCK} elements, and
 * back.
 *
 * <p>The scale of a block is its largest finite magnitude divided by 448, kept as FP32 or rounded
 * up to a power of two ({@link Ue8m0#ceil}); an element is divided by the scale in FP32, then
 * rounded to nearest, ties to even, and saturated. A block without a finite non-zero element has
 * scale 1. A NaN stays a NaN and does not influence the scale; an infinity saturates to 448 times
 * the scale. FP32 scales are never subnormal, so that the division cannot overflow.
 *
 * <p>Quantising loses precision: what comes back differs from the input by up to half a unit in the
 * last place of E4M3 at the block's scale. Quantising what came back gives the same values again
 * with {@link ScaleFormat#UE8M0}, and is not promised to with {@link ScaleFormat#FP32}.
 *
 * <p>Rows may be of any length; the last block of a row may be short. Offsets are in bytes and need
 * no alignment. Instances hold a scratch block: one per thread.
 */
public final class BlockQuantizer {
  private final ScaleFormat format;
  private final float[] block = new float[BLOCK];

  /**
   * A quantiser that writes and reads scales in {@code format}. With {@link ScaleFormat#NONE} the
   * elements are converted as they stand and no scale is written or read.
   */
  public BlockQuantizer(ScaleFormat format) {
    this.format = format;
  }

  /** The format of the scales. */
  public ScaleFormat format() {
    return format;
  }

  /**
   * Quantises {@code n} elements of type {@code srcType} at {@code srcOffset} into {@code n} bytes
   * at {@code dstOffset} and {@link ScaleFormat#bytesPerRow} bytes of scales at {@code
   * scaleOffset}.
   */
  public void quantize(
      DType srcType,
      MemorySegment src,
      long srcOffset,
      int n,
      MemorySegment dst,
      long dstOffset,
      MemorySegment scales,
      long scaleOffset) {
    for (int from = 0, b = 0; from < n; from += BLOCK, b++) {
      int count = Math.min(BLOCK, n - from);
      Elements.load(srcType, src, srcOffset + srcType.bytes() * from, block, count);
      float scale = writeScale(scaleOf(count), scales, scaleOffset, b);
      for (int i = 0; i < count; i++) {
        byte quantized = Fp8E4M3.fromFloat(block[i] / scale);
        dst.set(ValueLayout.JAVA_BYTE, dstOffset + from + i, quantized);
      }
    }
  }

  /**
   * Writes {@code n} elements of type {@code dstType}: each is the FP8 value times its block's
   * scale, rounded to FP32 and then to {@code dstType}.
   */
  public void dequantize(
      MemorySegment src,
      long srcOffset,
      MemorySegment scales,
      long scaleOffset,
      int n,
      DType dstType,
      MemorySegment dst,
      long dstOffset) {
    for (int from = 0, b = 0; from < n; from += BLOCK, b++) {
      int count = Math.min(BLOCK, n - from);
      loadBlock(src, srcOffset + from, readScale(scales, scaleOffset, b), count);
      Elements.store(dstType, block, dst, dstOffset + dstType.bytes() * from, count);
    }
  }

  /**
   * Adds {@code weight * x[i]} to {@code acc[i]}, where {@code x[i]} is the FP8 value times its
   * block's scale: three FP32 roundings (scale, weight, sum), none of them fused.
   */
  public void accumulate(
      MemorySegment src,
      long srcOffset,
      MemorySegment scales,
      long scaleOffset,
      float[] acc,
      int n,
      float weight) {
    for (int from = 0, b = 0; from < n; from += BLOCK, b++) {
      int count = Math.min(BLOCK, n - from);
      loadBlock(src, srcOffset + from, readScale(scales, scaleOffset, b), count);
      for (int i = 0; i < count; i++) {
        acc[from + i] = acc[from + i] + weight * block[i];
      }
    }
  }

  /** The scale of block {@code index} of the row whose scales begin at {@code scaleOffset}. */
  public float readScale(MemorySegment scales, long scaleOffset, long index) {
    return switch (format) {
      case NONE -> 1f;
      case FP32 -> Float.intBitsToFloat(scales.get(Elements.INT, scaleOffset + 4L * index));
      case UE8M0 -> Ue8m0.toFloat(scales.get(ValueLayout.JAVA_BYTE, scaleOffset + index));
    };
  }

  private float writeScale(float scale, MemorySegment scales, long scaleOffset, long index) {
    return switch (format) {
      case NONE -> 1f;
      case FP32 -> {
        scales.set(Elements.INT, scaleOffset + 4L * index, Float.floatToRawIntBits(scale));
        yield scale;
      }
      case UE8M0 -> {
        byte exponent = Ue8m0.ceil(scale);
        scales.set(ValueLayout.JAVA_BYTE, scaleOffset + index, exponent);
        yield Ue8m0.toFloat(exponent);
      }
    };
  }

  private float scaleOf(int count) {
    float largest = 0f;
    for (int i = 0; i < count; i++) {
      float magnitude = Math.abs(block[i]);
      if (magnitude > largest && magnitude <= Float.MAX_VALUE) {
        largest = magnitude;
      }
    }
    return largest == 0f ? 1f : Math.max(largest / Fp8E4M3.MAX, Float.MIN_NORMAL);
  }

  private void loadBlock(MemorySegment src, long offset, float scale, int count) {
    for (int i = 0; i < count; i++) {
      block[i] = Fp8E4M3.toFloat(src.get(ValueLayout.JAVA_BYTE, offset + i)) * scale;
    }
  }
}
