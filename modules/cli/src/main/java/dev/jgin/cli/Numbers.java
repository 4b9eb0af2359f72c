// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli;

import picocli.CommandLine;
import picocli.CommandLine.TypeConversionException;

/** Whole numbers on the command line, and the sentences about those that are none or too big. */
public final class Numbers {
  private Numbers() {}

  static void register(CommandLine line) {
    line.registerConverter(Integer.class, Numbers::parseInt);
    line.registerConverter(int.class, Numbers::parseInt);
    line.registerConverter(Long.class, Numbers::parseLong);
    line.registerConverter(long.class, Numbers::parseLong);
  }

  private static int parseInt(String text) {
    long value = parseLong(text);
    if (value != (int) value) {
      throw new TypeConversionException(
          "'" + text + "' is out of range: at most " + Integer.MAX_VALUE);
    }
    return (int) value;
  }

  private static long parseLong(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new TypeConversionException(
          "'" + text + "' is not a whole number; write for example 8");
    }
  }

  /**
   * Checks a range.
   *
   * @throws UsageException naming option, value and limits
   */
  public static void requireIn(String option, long value, long least, long most) {
    if (value < least || value > most) {
      throw new UsageException("%s %d: it must be in %d..%d".formatted(option, value, least, most));
    }
  }

  /**
   * Checks a part of a whole.
   *
   * @throws UsageException naming option, value and limits
   */
  static void requireRatio(String option, double value) {
    if (!(value >= 0 && value <= 1)) {
      throw new UsageException("%s %s: it must be in 0..1".formatted(option, value));
    }
  }
}
