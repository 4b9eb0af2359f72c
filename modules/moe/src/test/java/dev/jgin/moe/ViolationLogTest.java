// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.jgin.moe.check.Check;
import dev.jgin.moe.check.Symptom;
import dev.jgin.moe.check.Violation;
import dev.jgin.moe.check.ViolationException;
import java.util.List;
import org.junit.jupiter.api.Test;

class ViolationLogTest {

  private static Violation ofRow(long row, Symptom symptom) {
    return new Violation(symptom, Check.EPOCH_TAG, 0, 1, 2, row, 5, 3, "test");
  }

  @Test
  void shouldCountAllAndKeepTheFirst() {
    ViolationLog log = new ViolationLog(ViolationPolicy.COLLECT);
    long many = ViolationLog.KEPT + 10L;
    for (long row = 0; row < many; row++) {
      log.begin();
      log.report(List.of(ofRow(row, Symptom.MISSING)));
    }
    assertEquals(many, log.count(Symptom.MISSING));
    assertEquals(0, log.count(Symptom.TORN));
    assertEquals(ViolationLog.KEPT, log.first().size());
    assertEquals(0, log.first().getFirst().row());
    assertFalse(log.clean());
  }

  @Test
  void shouldNotCountOneFindingOfAnOperationTwice() {
    ViolationLog log = new ViolationLog(ViolationPolicy.COLLECT);
    log.begin();
    log.report(List.of(ofRow(1, Symptom.TORN)));
    log.report(List.of(ofRow(1, Symptom.TORN), ofRow(2, Symptom.TORN)));
    assertEquals(2, log.count(Symptom.TORN));
  }

  @Test
  void shouldThrowAtOnceWhenNobodyAskedForAnExperiment() {
    ViolationLog log = new ViolationLog(ViolationPolicy.FAIL_FAST);
    log.begin();
    assertThrows(ViolationException.class, () -> log.report(List.of(ofRow(1, Symptom.TORN))));
  }
}
