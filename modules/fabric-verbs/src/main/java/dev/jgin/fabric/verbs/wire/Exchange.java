// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.verbs.wire;

import dev.jgin.gin.spi.Bootstrap;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/**
 * A step that every rank takes and tells the others about. A rank whose step failed takes part all
 * the same and gives its error instead: otherwise the others would wait for it until a deadline.
 */
public final class Exchange {

  private static final byte OK = 0;
  private static final byte FAILED = 1;
  private static final long TIMEOUT_NANOS = 120_000_000_000L;

  private Exchange() {}

  /**
   * Takes the step and returns what every rank's step gave.
   *
   * @throws RuntimeException this rank's own error if its step failed
   * @throws IllegalStateException if another rank's did, with its words
   */
  public static List<byte[]> step(Bootstrap bootstrap, String key, Supplier<byte[]> step) {
    RuntimeException own = null;
    byte[] value;
    try {
      value = prefixed(OK, step.get());
    } catch (RuntimeException e) {
      own = e;
      value = prefixed(FAILED, String.valueOf(e.getMessage()).getBytes(StandardCharsets.UTF_8));
    }
    List<byte[]> all = bootstrap.allGather(key, value, TIMEOUT_NANOS);
    if (own != null) {
      throw own;
    }
    List<byte[]> values = new ArrayList<>();
    for (int r = 0; r < all.size(); r++) {
      byte[] theirs = Arrays.copyOfRange(all.get(r), 1, all.get(r).length);
      if (all.get(r)[0] != OK) {
        throw new IllegalStateException(
            "rank " + r + " failed: " + new String(theirs, StandardCharsets.UTF_8));
      }
      values.add(theirs);
    }
    return values;
  }

  private static byte[] prefixed(byte head, byte[] tail) {
    byte[] whole = new byte[tail.length + 1];
    whole[0] = head;
    System.arraycopy(tail, 0, whole, 1, tail.length);
    return whole;
  }
}
