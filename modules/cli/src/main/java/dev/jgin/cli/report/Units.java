// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.report;

import java.util.Locale;

/** Numbers with units, for people. The same in every locale. */
public final class Units {
  private static final String[] BYTES = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

  private Units() {}

  /** For example {@code 1.50 GiB}; whole bytes below 1 KiB. */
  public static String bytes(long bytes) {
    double value = bytes;
    int unit = 0;
    while (value >= 1024 && unit < BYTES.length - 1) {
      value /= 1024;
      unit++;
    }
    return unit == 0 ? bytes + " B" : String.format(Locale.ROOT, "%.2f %s", value, BYTES[unit]);
  }

  /** Whole nanoseconds as microseconds with two digits behind the point. */
  public static String micros(long nanos) {
    return micros((double) nanos);
  }

  /** Nanoseconds as microseconds with two digits behind the point. */
  public static String micros(double nanos) {
    return String.format(Locale.ROOT, "%.2f", nanos / 1000);
  }
}
