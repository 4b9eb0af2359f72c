// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.report;

import dev.jgin.moe.check.Symptom;
import dev.jgin.moe.check.Violation;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * What the always-on checks found.
 *
 * @param bySymptom a count for each symptom, also for those that did not occur
 * @param first the first few in full
 */
public record Violations(Map<Symptom, Long> bySymptom, List<Violation> first) {
  /** Violations kept in full. */
  public static final int KEPT = 8;

  /** Nothing found. */
  public static Violations none() {
    Map<Symptom, Long> counts = new EnumMap<>(Symptom.class);
    for (Symptom symptom : Symptom.values()) {
      counts.put(symptom, 0L);
    }
    return new Violations(counts, List.of());
  }

  /** Counts {@code found}. */
  public static Violations of(Collection<Violation> found) {
    return none().and(found, symptom -> found.stream().filter(v -> v.symptom() == symptom).count());
  }

  /** These and those of another source, which counts more than it kept. */
  public Violations and(Collection<Violation> kept, ToLongFunction<Symptom> count) {
    Map<Symptom, Long> counts = new EnumMap<>(bySymptom);
    counts.replaceAll((symptom, before) -> before + count.applyAsLong(symptom));
    return new Violations(
        counts, Stream.concat(first.stream(), kept.stream()).limit(KEPT).toList());
  }

  /** How many in all. */
  public long total() {
    return bySymptom.values().stream().mapToLong(Long::longValue).sum();
  }
}
