// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.verbs.wire;

import dev.jgin.gin.DeadlineException;
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

  private final Bootstrap bootstrap;
  private final long timeoutNanos;

  /**
   * Exchanges through {@code bootstrap}, each of which waits {@code timeoutNanos} for the slowest.
   */
  public Exchange(Bootstrap bootstrap, long timeoutNanos) {
    this.bootstrap = bootstrap;
    this.timeoutNanos = timeoutNanos;
  }

  /** Through what it exchanges. */
  public Bootstrap bootstrap() {
    return bootstrap;
  }

  /**
   * Takes the step and returns what every rank's step gave.
   *
   * @throws RuntimeException this rank's own error if its step failed
   * @throws IllegalStateException if another rank's did, with its words
   * @throws DeadlineException naming the ranks that did not come
   */
  public List<byte[]> step(String key, Supplier<byte[]> step) {
    RuntimeException own = null;
    byte[] value;
    try {
      value = prefixed(OK, step.get());
    } catch (RuntimeException e) {
      own = e;
      value = prefixed(FAILED, String.valueOf(e.getMessage()).getBytes(StandardCharsets.UTF_8));
    }
    List<byte[]> all = gather(key, value);
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

  private List<byte[]> gather(String key, byte[] value) {
    try {
      return bootstrap.allGather(key, value, timeoutNanos);
    } catch (DeadlineException e) {
      throw new DeadlineException(
          e, "see what those ranks say of themselves, or let all wait longer by connect=SECONDS");
    }
  }

  private static byte[] prefixed(byte head, byte[] tail) {
    byte[] whole = new byte[tail.length + 1];
    whole[0] = head;
    System.arraycopy(tail, 0, whole, 1, tail.length);
    return whole;
  }
}
