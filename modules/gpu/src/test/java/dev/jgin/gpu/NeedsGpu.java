// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gpu;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Tests that need a GPU: tagged {@code gpu}. With the system property {@code
 * jgin.gpu.required=true} they run in any case, so that a missing GPU is a failure and no skip.
 */
@Tag("gpu")
@ExtendWith(NeedsGpu.Condition.class)
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface NeedsGpu {

  /** Whether there is one, or has to be. */
  final class Condition implements ExecutionCondition {
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
      if (Boolean.getBoolean("jgin.gpu.required")) {
        return ConditionEvaluationResult.enabled("a GPU is required");
      }
      return Gpu.unavailabilityCause()
          .map(ConditionEvaluationResult::disabled)
          .orElseGet(() -> ConditionEvaluationResult.enabled("there is a GPU"));
    }
  }
}
