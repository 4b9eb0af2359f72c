// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.gpu;

import dev.jgin.bindings.abi.jgin_violation;
import dev.jgin.moe.check.Violation;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** Turns the records that kernels keep into {@link Violation}s. Stateless; allocates. */
final class ViolationRecords {
  private ViolationRecords() {}

  /** The first {@code count} of {@code records}, found by {@code rank} in {@code operation}. */
  static List<Violation> of(MemorySegment records, long count, int rank, String operation) {
    List<Violation> all = new ArrayList<>();
    for (long i = 0; i < count; i++) {
      all.add(of(jgin_violation.asSlice(records, i), rank, operation));
    }
    return all;
  }

  private static Violation of(MemorySegment r, int rank, String operation) {
    return new Violation(
        AbiNumbers.symptom(jgin_violation.symptom(r)),
        AbiNumbers.check(jgin_violation.check(r)),
        rank,
        jgin_violation.peer(r),
        // Over NVLINK rows take no context; which one a proxy took the record does not say.
        Violation.UNKNOWN,
        jgin_violation.row(r),
        jgin_violation.expected_epoch(r),
        jgin_violation.seen_epoch(r),
        detail(r, operation));
  }

  private static String detail(MemorySegment r, String operation) {
    StringBuilder out = new StringBuilder(operation);
    out.append(": ").append(Kernels.name(jgin_violation.kernel(r)));
    out.append(" expected ").append(jgin_violation.expected(r));
    out.append(", saw ").append(jgin_violation.seen(r));
    if (jgin_violation.token(r) >= 0) {
      out.append("; the row says token ").append(jgin_violation.token(r));
    }
    if (jgin_violation.lane(r) >= 0) {
      out.append("; lane or expert ").append(jgin_violation.lane(r));
    }
    return out.toString();
  }
}
