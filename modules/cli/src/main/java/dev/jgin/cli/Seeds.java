// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli;

import java.util.ArrayList;
import java.util.List;

/** Seeds as {@code 7}, {@code 1..20} or {@code 1,5,40..42}. */
final class Seeds {
  /** Most seeds of one sweep. */
  static final int MAX = 10_000;

  private Seeds() {}

  static List<Long> parse(String option, String text) {
    List<Long> seeds = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      int dots = part.indexOf("..");
      long first = number(option, text, dots < 0 ? part : part.substring(0, dots));
      long last = dots < 0 ? first : number(option, text, part.substring(dots + 2));
      if (last < first || last - first >= MAX || last - first < 0) {
        throw new UsageException(
            "%s '%s': %d..%d must ascend and name at most %d seeds"
                .formatted(option, text, first, last, MAX));
      }
      for (long i = 0; i <= last - first; i++) {
        seeds.add(first + i);
      }
    }
    if (seeds.size() > MAX) {
      throw new UsageException(
          "%s '%s' names %d seeds: at most %d in one sweep"
              .formatted(option, text, seeds.size(), MAX));
    }
    return seeds;
  }

  private static long number(String option, String text, String part) {
    try {
      return Long.parseLong(part.strip());
    } catch (NumberFormatException e) {
      throw new UsageException(
          "%s '%s': '%s' is no seed; write for example 1..20 or 1,2,7"
              .formatted(option, text, part),
          e);
    }
  }
}
