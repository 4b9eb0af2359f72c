// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.oracle;

import dev.jgin.moe.numeric.DType;
import dev.jgin.moe.numeric.ScaleFormat;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** One element or one scale at a time: little-endian, packed, at any byte offset. */
final class Scalars {
  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private Scalars() {}

  /** The pattern of the element that begins at {@code offset}, as an unsigned number. */
  static long bits(DType dtype, MemorySegment segment, long offset) {
    return switch (dtype) {
      case BF16, FP16 -> segment.get(SHORT, offset) & 0xFFFFL;
      case FP32 -> segment.get(INT, offset) & 0xFFFF_FFFFL;
      case FP8_E4M3 -> segment.get(ValueLayout.JAVA_BYTE, offset) & 0xFFL;
    };
  }

  static float read(DType dtype, MemorySegment segment, long offset) {
    return decode(dtype, bits(dtype, segment, offset));
  }

  static void write(DType dtype, MemorySegment segment, long offset, float value) {
    int pattern = (int) encode(dtype, value);
    switch (dtype) {
      case BF16, FP16 -> segment.set(SHORT, offset, (short) pattern);
      case FP32 -> segment.set(INT, offset, pattern);
      case FP8_E4M3 -> segment.set(ValueLayout.JAVA_BYTE, offset, (byte) pattern);
    }
  }

  static float decode(DType dtype, long pattern) {
    return switch (dtype) {
      case BF16 -> SmallFloat.BF16.decode((int) pattern);
      case FP16 -> SmallFloat.FP16.decode((int) pattern);
      case FP32 -> Float.intBitsToFloat((int) pattern);
      case FP8_E4M3 -> SmallFloat.FP8_E4M3.decode((int) pattern);
    };
  }

  static long encode(DType dtype, float value) {
    return switch (dtype) {
      case BF16 -> SmallFloat.BF16.encode(value);
      case FP16 -> SmallFloat.FP16.encode(value);
      case FP32 -> Float.floatToRawIntBits(value) & 0xFFFF_FFFFL;
      case FP8_E4M3 -> SmallFloat.FP8_E4M3.encode(value);
    };
  }

  /** {@code value} rounded to {@code dtype} and widened again. */
  static float round(DType dtype, float value) {
    return decode(dtype, encode(dtype, value));
  }

  /** The pattern of the scale that begins at {@code offset}, as an unsigned number. */
  static long scaleBits(ScaleFormat format, MemorySegment scales, long offset) {
    return switch (format) {
      case NONE -> throw new IllegalArgumentException("these rows have no scales");
      case FP32 -> scales.get(INT, offset) & 0xFFFF_FFFFL;
      case UE8M0 -> scales.get(ValueLayout.JAVA_BYTE, offset) & 0xFFL;
    };
  }

  /** The scale of element {@code index} of the row whose scales begin at {@code offset}. */
  static float scale(ScaleFormat format, MemorySegment scales, long offset, int index) {
    int block = index / ScaleFormat.BLOCK;
    return switch (format) {
      case NONE -> 1f;
      case FP32 -> Float.intBitsToFloat(scales.get(INT, offset + 4L * block));
      case UE8M0 -> {
        int exponent = scales.get(ValueLayout.JAVA_BYTE, offset + block) & 0xFF;
        yield exponent == 0xFF ? Float.NaN : (float) Math.scalb(1.0, exponent - 127);
      }
    };
  }
}
