// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.gpu;

import dev.jgin.bindings.abi.abi_h;
import dev.jgin.bindings.abi.jgin_rank;
import dev.jgin.bindings.abi.jgin_report;
import dev.jgin.bindings.abi.jgin_violation;
import dev.jgin.bindings.abi.jgin_violations;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * What the kernels of a stream said of their last operation: epochs, violations, the error word. To
 * be asked when its event has been passed. Allocates only where something is wrong.
 */
final class Outcome {
  private static final int DISPATCH = abi_h.JGIN_OP_DISPATCH();

  private final GpuEpEngine engine;
  private final StreamMemory memory;
  private final MemorySegment report;
  private final ViolationBook book;
  private final String[] names;
  private final long[] epochs = new long[2];

  Outcome(GpuEpEngine engine, StreamMemory memory, int stream) {
    this.engine = engine;
    this.memory = memory;
    this.report = memory.report();
    this.book = new ViolationBook(engine.config().policy());
    this.names = new String[] {"dispatch, stream " + stream, "combine, stream " + stream};
    epochs[0] = engine.config().initialEpoch();
    epochs[1] = epochs[0];
  }

  ViolationBook book() {
    return book;
  }

  /** The epoch of the last operation of this kind that has begun. */
  long epoch(int operation) {
    return epochs[operation];
  }

  void begin(int operation) {
    book.begin();
    epochs[operation]++;
  }

  /** The epoch of the operation that has just begun. */
  long nextEpoch(int operation) {
    return epochs[operation];
  }

  /**
   * Takes what the kernels found.
   *
   * @return whether nothing was wrong
   */
  boolean take(int operation) {
    long found = jgin_report.violations(report);
    if (found > 0) {
      takeViolations(operation, found);
    }
    long error = jgin_report.error(report);
    if (error != 0) {
      throw Failures.of(
          error,
          new Failures.Scene(
              engine.rank(),
              names[operation],
              epochs[operation],
              engine.config(),
              engine.sizes().expertRows()));
    }
    long seen =
        operation == DISPATCH
            ? jgin_report.dispatch_epoch(report)
            : jgin_report.combine_epoch(report);
    if (seen != epochs[operation]) {
      throw new IllegalStateException(
          "rank %d, %s: the kernels finished epoch %d, expected %d; did someone else launch them?"
              .formatted(engine.rank(), names[operation], seen, epochs[operation]));
    }
    return found == 0;
  }

  private void takeViolations(int operation, long found) {
    try (Arena arena = Arena.ofConfined()) {
      long kept = Math.min(found, engine.options().violations());
      long head = jgin_rank.violations(memory.rank);
      MemorySegment records =
          memory.read(head + jgin_violations.sizeof(), kept * jgin_violation.sizeof(), arena);
      // Nothing of this stream runs: the next operation counts from 0 and has all the room.
      memory.write(head + jgin_violations.found$offset(), arena.allocate(ValueLayout.JAVA_LONG));
      jgin_report.violations(report, 0);
      book.report(ViolationRecords.of(records, kept, engine.rank(), names[operation]));
    }
  }
}
