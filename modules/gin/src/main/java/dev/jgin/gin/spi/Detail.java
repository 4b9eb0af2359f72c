// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gin.spi;

import java.util.List;
import java.util.Objects;

/**
 * One named fact about a device, for people and programs to read; nothing is decided by it.
 *
 * @param key lower case words joined by underscores, the unit at the end where there is one: {@code
 *     active_mtu_bytes}. Once published a key keeps its meaning.
 * @param value what is known
 */
public record Detail(String key, Value value) {

  /** What is known of a fact. */
  public sealed interface Value {}

  /** Words. */
  public record Text(String text) implements Value {
    public Text {
      Objects.requireNonNull(text);
    }
  }

  /** A number, in the unit that the key names. */
  public record Count(long number) implements Value {}

  /** Things of one kind, each with its own facts: the ports of a device. */
  public record Rows(List<List<Detail>> rows) implements Value {
    public Rows {
      rows = rows.stream().map(List::copyOf).toList();
    }
  }

  /** The carrier cannot tell. */
  public record Unknown() implements Value {}

  public Detail {
    if (!key.matches("[a-z0-9]+(_[a-z0-9]+)*")) {
      throw new IllegalArgumentException(
          "key '" + key + "': it must be lower case words joined by underscores");
    }
  }

  /** Words. */
  public static Detail of(String key, String text) {
    return new Detail(key, new Text(text));
  }

  /** A number. */
  public static Detail of(String key, long number) {
    return new Detail(key, new Count(number));
  }

  /** Things of one kind. */
  public static Detail of(String key, List<List<Detail>> rows) {
    return new Detail(key, new Rows(rows));
  }

  /** A fact that exists and that nobody here knows. */
  public static Detail unknown(String key) {
    return new Detail(key, new Unknown());
  }
}
