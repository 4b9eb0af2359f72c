// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.numeric;

import java.util.Locale;

/**
 * The type of one element of a row. Elements are little-endian and packed without gaps.
 *
 * <p>{@link #FP8_E4M3} alone says nothing about scales: see {@link ScaleFormat} for the scales that
 * accompany a quantised row.
 */
public enum DType {
  /** The upper half of an FP32: 8 exponent bits, 7 fraction bits. See {@link Bf16}. */
  BF16(2, "bf16"),
  /** IEEE 754 binary16. See {@link Fp16}. */
  FP16(2, "fp16"),
  /** IEEE 754 binary32. */
  FP32(4, "fp32"),
  /** OCP 8-bit E4M3: no infinities, largest finite value 448. See {@link Fp8E4M3}. */
  FP8_E4M3(1, "fp8");

  private final long bytes;
  private final String cliName;

  DType(long bytes, String cliName) {
    this.bytes = bytes;
    this.cliName = cliName;
  }

  /** Bytes of one element. */
  public long bytes() {
    return bytes;
  }

  /** Bytes of {@code elements} packed elements, scales not included. */
  public long bytes(long elements) {
    return Math.multiplyExact(bytes, elements);
  }

  /** The name used on the command line and in reports. */
  public String cliName() {
    return cliName;
  }

  /**
   * The type with this command-line name, in any letter case.
   *
   * @throws IllegalArgumentException if there is none; the message lists the names that exist
   */
  public static DType parse(String name) {
    String wanted = name.toLowerCase(Locale.ROOT);
    for (DType dtype : values()) {
      if (dtype.cliName.equals(wanted)) {
        return dtype;
      }
    }
    throw new IllegalArgumentException(
        "unknown element type '" + name + "': use one of bf16, fp16, fp32, fp8");
  }
}
