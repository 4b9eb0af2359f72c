// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.verbs;

import java.util.Optional;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Runs tests where there is an RDMA device. With the system property {@code
 * jgin.verbs.required=true} they run in any case, so that a missing device is a failure and no
 * skip: {@code scripts/soft-roce} promises one.
 */
final class NeedsDevice implements ExecutionCondition {

  /** The fabric under test: system property {@code jgin.verbs.fabric}. */
  static String fabric() {
    return System.getProperty("jgin.verbs.fabric", "verbs:timeout=12,retry=5");
  }

  /** Whether the devices were made to show disorder, for example by delaying one lane. */
  static boolean showsDisorder() {
    return Boolean.getBoolean("jgin.verbs.disorder");
  }

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    if (Boolean.getBoolean("jgin.verbs.required")) {
      return ConditionEvaluationResult.enabled("a device is required");
    }
    Optional<String> cause = new VerbsFabricProvider().unavailabilityCause();
    return cause
        .map(ConditionEvaluationResult::disabled)
        .orElseGet(() -> ConditionEvaluationResult.enabled("there is a device"));
  }
}
