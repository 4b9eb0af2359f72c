// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jgin.bindings.abi.abi_h;
import dev.jgin.bindings.abi.jgin_violation;
import dev.jgin.gin.DeadlineException;
import dev.jgin.gpu.proxy.ErrorWord;
import dev.jgin.moe.CapacityException;
import dev.jgin.moe.EpConfig;
import dev.jgin.moe.ViolationPolicy;
import dev.jgin.moe.check.Check;
import dev.jgin.moe.check.Symptom;
import dev.jgin.moe.check.Violation;
import dev.jgin.moe.check.ViolationException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;

class FindingsTest {
  private static final Failures.Scene SCENE =
      new Failures.Scene(2, "dispatch, stream 1", 7, EpConfig.builder(16, 4, 256).build(), 99);

  private final Arena arena = Arena.ofAuto();

  private MemorySegment records(int count) {
    MemorySegment records = jgin_violation.allocateArray(count, arena);
    for (int i = 0; i < count; i++) {
      MemorySegment r = jgin_violation.asSlice(records, i);
      jgin_violation.check(r, abi_h.JGIN_CHECK_TOKEN_ORDER());
      jgin_violation.symptom(r, abi_h.JGIN_DOUBLE_ASSIGNED());
      jgin_violation.kernel(r, abi_h.JGIN_KERNEL_DISPATCH_EPILOGUE());
      jgin_violation.peer(r, 3);
      jgin_violation.row(r, i / 2);
      jgin_violation.expected_epoch(r, 7);
      jgin_violation.seen_epoch(r, 6);
      jgin_violation.expected(r, 12);
      jgin_violation.seen(r, 11);
      jgin_violation.token(r, 11);
      jgin_violation.lane(r, -1);
    }
    return records;
  }

  @Test
  void shouldMapRecordsOfKernels() {
    List<Violation> all = ViolationRecords.of(records(3), 3, 1, "dispatch, stream 0");
    assertEquals(3, all.size());
    assertEquals(
        new Violation(
            Symptom.DOUBLE_ASSIGNED,
            Check.TOKEN_ORDER,
            1,
            3,
            Violation.UNKNOWN,
            1,
            7,
            6,
            "dispatch, stream 0: jgin_dispatch_epilogue expected 12, saw 11; the row says token 11"),
        all.getLast());
  }

  @Test
  void shouldNotBelieveARecordOfAnotherVersion() {
    MemorySegment records = records(1);
    jgin_violation.check(records, 77);
    IllegalStateException e =
        assertThrows(
            IllegalStateException.class, () -> ViolationRecords.of(records, 1, 0, "dispatch"));
    assertTrue(e.getMessage().contains("check 77"), e::getMessage);
  }

  @Test
  void shouldThrowOrCollectAsThePolicySays() {
    List<Violation> found = ViolationRecords.of(records(4), 4, 1, "dispatch, stream 0");
    ViolationException e =
        assertThrows(
            ViolationException.class,
            () -> new ViolationBook(ViolationPolicy.FAIL_FAST).report(found));
    assertEquals(4, e.violations().size());
    ViolationBook book = new ViolationBook(ViolationPolicy.COLLECT);
    book.report(found);
    assertEquals(2, book.ofOperation().size(), "two records are of the same row");
    book.begin();
    assertEquals(0, book.ofOperation().size());
    assertEquals(2, book.first().size());
    assertEquals(2, book.count(Symptom.DOUBLE_ASSIGNED));
  }

  private static RuntimeException failure(int code, int kernel, int peer, int detail) {
    return Failures.of(new ErrorWord(code, kernel, peer, detail).word(), SCENE);
  }

  @Test
  void shouldThrowWhatTheHostEngineThrows() {
    RuntimeException deadline =
        failure(abi_h.JGIN_ERROR_DEADLINE(), abi_h.JGIN_KERNEL_DISPATCH_EPILOGUE(), 3, 2);
    assertInstanceOf(DeadlineException.class, deadline);
    assertTrue(
        deadline
            .getMessage()
            .contains(
                "rank 2: deadline of 30000 ms passed: dispatch, stream 1, epoch 7,"
                    + " jgin_dispatch_epilogue: waits for rank 3, context 2"),
        deadline::getMessage);
    CapacityException capacity =
        assertInstanceOf(
            CapacityException.class,
            failure(abi_h.JGIN_ERROR_CAPACITY(), abi_h.JGIN_KERNEL_DISPATCH_EPILOGUE(), -1, 123));
    assertEquals(123, capacity.neededRows());
    assertTrue(capacity.getMessage().contains("room for 99"), capacity::getMessage);
  }

  @Test
  void shouldSayWhatElseEndedAKernel() {
    for (int code = 3; code <= 8; code++) {
      KernelException e =
          assertInstanceOf(KernelException.class, failure(code, abi_h.JGIN_KERNEL_PLAN(), 1, 5));
      assertEquals(code, e.code());
      assertTrue(e.getMessage().contains("epoch 7"), e::getMessage);
      assertTrue(e.getMessage().contains("jgin_plan_routing"), e::getMessage);
    }
    assertTrue(failure(abi_h.JGIN_ERROR_ABI(), 0, -1, 1).getMessage().contains("another version"));
  }
}
