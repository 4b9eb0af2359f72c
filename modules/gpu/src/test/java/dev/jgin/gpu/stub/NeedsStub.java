// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gpu.stub;

import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Runs tests where the driver's library is the stand-in, each with an empty record. */
public final class NeedsStub implements ExecutionCondition, BeforeEachCallback {

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    return StubLibrary.problem()
        .map(ConditionEvaluationResult::disabled)
        .orElseGet(() -> ConditionEvaluationResult.enabled("the driver is the stand-in"));
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    Stub.reset();
  }
}
