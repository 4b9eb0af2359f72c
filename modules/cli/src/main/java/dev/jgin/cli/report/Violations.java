// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.report;

import dev.jgin.moe.check.Symptom;
import dev.jgin.moe.check.Violation;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What the always-on checks found.
 *
 * @param bySymptom a count for each symptom, also for those that did not occur
 * @param first the first few in full
 */
public record Violations(Map<Symptom, Long> bySymptom, List<Violation> first) {
  /** Violations kept in full. */
  public static final int KEPT = 8;

  /** Counts {@code found}. */
  public static Violations of(Collection<Violation> found) {
    Map<Symptom, Long> counts = new EnumMap<>(Symptom.class);
    for (Symptom symptom : Symptom.values()) {
      counts.put(symptom, 0L);
    }
    found.forEach(violation -> counts.merge(violation.symptom(), 1L, Long::sum));
    return new Violations(counts, found.stream().limit(KEPT).toList());
  }

  /** How many in all. */
  public long total() {
    return bySymptom.values().stream().mapToLong(Long::longValue).sum();
  }
}
