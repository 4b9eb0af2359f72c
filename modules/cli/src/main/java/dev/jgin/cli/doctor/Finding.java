// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.doctor;

/**
 * One thing that was looked for.
 *
 * @param name in lower case, dotted: {@code gpu.driver}. Once published a name keeps its meaning.
 * @param value what was found, or why nothing was
 * @param disables what does not work without it; empty if it is here
 * @param remedy how to get it; empty if it is here
 */
public record Finding(String name, Status status, String value, String disables, String remedy) {

  public Finding {
    value = value.replace('\n', ' ');
    if (!name.matches("[a-z0-9]+([._][a-z0-9]+)*")) {
      throw new IllegalArgumentException("name '" + name + "': lower case words, dotted");
    }
    if ((status == Status.OK) != disables.isEmpty() || (status == Status.OK) != remedy.isEmpty()) {
      throw new IllegalArgumentException(
          name + ": says what it disables and a remedy exactly if it is not OK");
    }
  }

  /** It is here. */
  static Finding ok(String name, String value) {
    return new Finding(name, Status.OK, value, "", "");
  }

  /** It is not here. */
  static Finding missing(String name, String value, String disables, String remedy) {
    return new Finding(name, Status.MISSING, value, disables, remedy);
  }

  /** Nobody can tell from here. */
  static Finding unknown(String name, String value, String disables, String remedy) {
    return new Finding(name, Status.UNKNOWN, value, disables, remedy);
  }
}
