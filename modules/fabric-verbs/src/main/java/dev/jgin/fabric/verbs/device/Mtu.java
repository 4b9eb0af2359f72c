// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.verbs.device;

/** Path MTUs: {@code enum ibv_mtu} counts 256 … 4096 bytes as 1 … 5. */
public final class Mtu {

  private Mtu() {}

  /** Bytes of an {@code enum ibv_mtu}. */
  public static int bytes(int code) {
    if (code < 1 || code > 5) {
      throw new IllegalArgumentException("MTU code " + code + ": it must be in 1..5");
    }
    return 128 << code;
  }

  /** The {@code enum ibv_mtu} of a number of bytes. */
  public static int code(int bytes) {
    int code = Integer.numberOfTrailingZeros(bytes) - 7;
    if (code < 1 || code > 5 || Integer.bitCount(bytes) != 1) {
      throw new IllegalArgumentException(
          "MTU of " + bytes + " bytes: it must be 256, 512, 1024, 2048 or 4096");
    }
    return code;
  }

  /** Binary logarithm of a path MTU. */
  public static int shift(int bytes) {
    return code(bytes) + 7;
  }
}
