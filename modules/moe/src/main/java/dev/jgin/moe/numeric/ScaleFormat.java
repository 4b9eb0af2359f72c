// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.numeric;

/**
 * How the scales of a quantised row are stored: one scale for each {@value #BLOCK} elements, in
 * order, packed without gaps. A row whose length is not a multiple of {@value #BLOCK} has a short
 * last block with a scale of its own.
 */
public enum ScaleFormat {
  /** No scales: the elements stand for themselves. */
  NONE(0),
  /** A little-endian FP32 per block. */
  FP32(4),
  /** A power of two per block, in one byte. See {@link Ue8m0}. */
  UE8M0(1);

  /** Elements that share one scale. */
  public static final int BLOCK = 128;

  private final long bytes;

  ScaleFormat(long bytes) {
    this.bytes = bytes;
  }

  /** Bytes of one scale; 0 for {@link #NONE}. */
  public long bytes() {
    return bytes;
  }

  /** Bytes of the scales of one row: {@code bytes() * ceil(elements / 128)}. */
  public long bytesPerRow(long elements) {
    return Math.multiplyExact(bytes, blocks(elements));
  }

  /** Scales of one row: {@code ceil(elements / 128)}, the same for every format. */
  public static long blocks(long elements) {
    return Math.ceilDiv(elements, (long) BLOCK);
  }
}
