// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.gpu;

import dev.jgin.moe.ViolationPolicy;
import dev.jgin.moe.check.Symptom;
import dev.jgin.moe.check.Violation;
import dev.jgin.moe.check.ViolationException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The violations of one stream, thrown or collected as the policy says. One thread at a time. */
final class ViolationBook {
  private static final int KEPT = 1 << 14;

  private final ViolationPolicy policy;
  private final List<Violation> first = new ArrayList<>();
  private final Map<Symptom, Long> counts = new EnumMap<>(Symptom.class);
  private List<Violation> ofOperation = List.of();

  ViolationBook(ViolationPolicy policy) {
    this.policy = policy;
  }

  void begin() {
    ofOperation = List.of();
  }

  /**
   * Takes what an operation found.
   *
   * @throws ViolationException under {@link ViolationPolicy#FAIL_FAST}
   */
  void report(List<Violation> violations) {
    if (policy == ViolationPolicy.FAIL_FAST) {
      throw new ViolationException(violations);
    }
    List<Violation> distinct = new ArrayList<>();
    for (Violation violation : violations) {
      if (distinct.stream().noneMatch(violation::sameFinding)) {
        distinct.add(violation);
        counts.merge(violation.symptom(), 1L, Long::sum);
        if (first.size() < KEPT) {
          first.add(violation);
        }
      }
    }
    ofOperation = List.copyOf(distinct);
  }

  List<Violation> ofOperation() {
    return ofOperation;
  }

  List<Violation> first() {
    return List.copyOf(first);
  }

  long count(Symptom symptom) {
    return counts.getOrDefault(symptom, 0L);
  }
}
