// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.emulated.lane;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** What operations of one lane do to memory, and the buffers for their bytes in flight. */
final class OpMemory {

  private final TargetMemory source;
  private final TargetMemory target;

  /** Grows to what was in flight at once, then stays. */
  private final List<MemorySegment> free = new ArrayList<>();

  OpMemory(TargetMemory source, TargetMemory target) {
    this.source = source;
    this.target = target;
  }

  /** Takes the operation's bytes as they are now: it leaves. */
  void capture(LaneOp op) {
    if (!op.inline && op.kind != OpKind.READ && op.bytes > 0) {
      op.payload = take(op.bytes);
      source.load(op.fromRegion, op.from, op.payload, 0, op.bytes);
    }
  }

  /** Performs one piece. */
  void perform(LaneOp op, int piece, int times) {
    long at = op.cut[piece];
    long bytes = op.cut[piece + 1] - at;
    switch (op.kind) {
      case ATOMIC -> {
        for (int i = 0; i < times; i++) {
          target.add(op.toRegion, op.to, op.from);
        }
      }
      case READ -> {
        op.payload = take(bytes);
        target.load(op.fromRegion, op.from, op.payload, 0, bytes);
        source.store(op.toRegion, op.to, op.payload, 0, bytes);
      }
      case WRITE, SIGNAL_WRITE -> {
        if (op.inline) {
          target.storeWord(op.toRegion, op.to, op.from, (int) op.bytes);
        } else {
          target.store(op.toRegion, op.to + at, op.payload, at, bytes);
        }
      }
    }
  }

  /** Gives back the operation's buffer. */
  void release(LaneOp op) {
    if (op.payload != null) {
      free.add(op.payload);
      op.payload = null;
    }
  }

  private MemorySegment take(long bytes) {
    MemorySegment last = free.isEmpty() ? null : free.removeLast();
    if (last != null && last.byteSize() >= bytes) {
      return last;
    }
    // Longs, because the words of a granule are loaded whole.
    long words = Long.highestOneBit(Math.max(bytes, 32) - 1) * 2 / Long.BYTES;
    return MemorySegment.ofArray(new long[Math.toIntExact(words)]);
  }
}
