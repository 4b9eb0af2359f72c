// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe;

import dev.jgin.moe.check.Violation;
import dev.jgin.moe.check.ViolationException;
import java.util.ArrayList;
import java.util.List;

/** The violations of one stream: throws them or keeps them, as the policy says. */
final class ViolationLog {
  private final ViolationPolicy policy;
  private final List<Violation> ofOperation = new ArrayList<>();
  private final List<Violation> all = new ArrayList<>();

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
        all.add(violation);
      }
    }
  }

  List<Violation> ofOperation() {
    return List.copyOf(ofOperation);
  }

  List<Violation> all() {
    return List.copyOf(all);
  }

  boolean clean() {
    return ofOperation.isEmpty();
  }
}
