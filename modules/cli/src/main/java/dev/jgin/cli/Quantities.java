// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Bytes and durations as people write them: {@code 512M}, {@code 1.5GiB}, {@code 250ms}. */
public final class Quantities {
  private static final Pattern FORM = Pattern.compile("(\\d+(?:\\.\\d+)?)\\s*([a-zA-Z]*)");
  private static final Map<String, Long> BYTES =
      Map.of("", 1L, "b", 1L, "k", 1L << 10, "m", 1L << 20, "g", 1L << 30, "t", 1L << 40);
  private static final Map<String, Long> NANOS =
      Map.of("us", 1_000L, "ms", 1_000_000L, "s", 1_000_000_000L, "m", 60_000_000_000L);

  private Quantities() {}

  /** Bytes; suffixes K, M, G, T in powers of 1024, with or without {@code iB} or {@code B}. */
  public static long bytes(String option, String text) {
    Matcher matcher = FORM.matcher(text);
    if (matcher.matches()) {
      String unit = matcher.group(2).toLowerCase(Locale.ROOT).replaceFirst("(?<=[kmgt])i?b$", "");
      if (BYTES.containsKey(unit)) {
        return scaled(option, text, matcher.group(1), BYTES.get(unit));
      }
    }
    throw new UsageException(
        "%s '%s' is no number of bytes; write for example 512M or 16GiB".formatted(option, text));
  }

  /** Nanoseconds; suffixes us, ms, s, m. */
  public static long nanos(String option, String text) {
    Matcher matcher = FORM.matcher(text);
    if (matcher.matches()) {
      Long unit = NANOS.get(matcher.group(2).toLowerCase(Locale.ROOT));
      if (unit != null) {
        return scaled(option, text, matcher.group(1), unit);
      }
    }
    throw new UsageException(
        "%s '%s' is no duration; write for example 500ms, 30s or 2m".formatted(option, text));
  }

  private static long scaled(String option, String text, String number, long unit) {
    BigDecimal value = new BigDecimal(number).multiply(BigDecimal.valueOf(unit));
    if (value.signum() <= 0 || value.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
      throw new UsageException(
          "%s '%s' is out of range: it must be more than 0 and at most %d of the smallest unit"
              .formatted(option, text, Long.MAX_VALUE));
    }
    return Math.max(1, value.longValue());
  }
}
