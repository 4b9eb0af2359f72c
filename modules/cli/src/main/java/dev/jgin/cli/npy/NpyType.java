// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.npy;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The element types that are read and written. NumPy has no bfloat16 and no 8-bit floats: rows of
 * those are written as their bit patterns, {@link #UINT16} and {@link #UINT8}.
 */
public enum NpyType {
  /** Signed, 1 byte. */
  INT8("i1"),
  /** Unsigned, 1 byte. */
  UINT8("u1"),
  /** Signed, 2 bytes. */
  INT16("i2"),
  /** Unsigned, 2 bytes. */
  UINT16("u2"),
  /** Signed, 4 bytes. */
  INT32("i4"),
  /** Unsigned, 4 bytes. */
  UINT32("u4"),
  /** Signed, 8 bytes. */
  INT64("i8"),
  /** IEEE 754 binary16. */
  FLOAT16("f2"),
  /** IEEE 754 binary32. */
  FLOAT32("f4"),
  /** IEEE 754 binary64. */
  FLOAT64("f8");

  private final String code;

  NpyType(String code) {
    this.code = code;
  }

  /** NumPy's kind and size, for example {@code i4}. */
  public String code() {
    return code;
  }

  /** Bytes of one element. */
  public long bytes() {
    return Character.digit(code.charAt(1), 10);
  }

  /** Whether elements are whole numbers. */
  public boolean isInteger() {
    return code.charAt(0) != 'f';
  }

  static Optional<NpyType> ofCode(String code) {
    return Arrays.stream(values()).filter(type -> type.code.equals(code)).findFirst();
  }

  static String codes() {
    return Arrays.stream(values()).map(NpyType::code).collect(Collectors.joining(", "));
  }
}
