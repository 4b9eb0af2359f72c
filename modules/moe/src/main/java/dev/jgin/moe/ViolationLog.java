// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe;

import dev.jgin.moe.check.Symptom;
import dev.jgin.moe.check.Violation;
import dev.jgin.moe.check.ViolationException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The violations of one stream: throws them, or counts them all and keeps the first in full, as the
 * policy says. A long experiment finds millions.
 */
final class ViolationLog {
  static final int KEPT = 1 << 14;

  private final ViolationPolicy policy;
  private final List<Violation> ofOperation = new ArrayList<>();
  private final List<Violation> first = new ArrayList<>();
  private final Map<Symptom, Long> counts = new EnumMap<>(Symptom.class);

  ViolationLog(ViolationPolicy policy) {
    this.policy = policy;
  }

  /** Begins an operation. */
  void begin() {
    ofOperation.clear();
  }

  /**
   * Reports what one failed check led to; what is known of the operation already is not repeated.
   *
   * @throws ViolationException under {@link ViolationPolicy#FAIL_FAST}
   */
  void report(List<Violation> violations) {
    if (policy == ViolationPolicy.FAIL_FAST) {
      throw new ViolationException(violations);
    }
    for (Violation violation : violations) {
      if (ofOperation.stream().noneMatch(violation::sameFinding)) {
        ofOperation.add(violation);
        counts.merge(violation.symptom(), 1L, Long::sum);
        if (first.size() < KEPT) {
          first.add(violation);
        }
      }
    }
  }

  List<Violation> ofOperation() {
    return List.copyOf(ofOperation);
  }

  List<Violation> first() {
    return List.copyOf(first);
  }

  long count(Symptom symptom) {
    return counts.getOrDefault(symptom, 0L);
  }

  boolean clean() {
    return ofOperation.isEmpty();
  }
}
