// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.emulated.lane;

/**
 * The operations of a lane by ticket, and how far they have come. Tickets count over all
 * generations. Slots are reused once their operation is complete and visible.
 */
final class OpRing {

  private final LaneOp[] slots;
  private final int maxPieces;

  long posted;
  long rung;
  long transmitted;
  long completed;

  /** Below are only operations that are complete and visible. */
  private long oldest;

  private long firstOpenWrite;
  private long firstOpenSignal;

  OpRing(LaneRules rules) {
    // More slots than may be outstanding, because visibility outlives completion.
    slots = new LaneOp[Integer.highestOneBit(4 * rules.depth() - 1) * 2];
    maxPieces = rules.maxPieces();
  }

  boolean isFull() {
    return posted - oldest == slots.length;
  }

  /** The slot of the next operation, whose ticket is {@link #posted} before this call. */
  LaneOp claim() {
    int slot = (int) posted++ & (slots.length - 1);
    if (slots[slot] == null) {
      slots[slot] = new LaneOp(maxPieces);
    }
    return slots[slot];
  }

  LaneOp op(long ticket) {
    return slots[(int) ticket & (slots.length - 1)];
  }

  long oldest() {
    return oldest;
  }

  /** Whether every data write before {@code ticket} is visible. */
  boolean writesVisibleBefore(long ticket) {
    return firstOpenWrite >= ticket;
  }

  /** Whether every signal before {@code ticket} is visible. */
  boolean signalsVisibleBefore(long ticket) {
    return firstOpenSignal >= ticket;
  }

  /** Moves the marks over everything that no longer holds anything back. */
  void advance() {
    while (firstOpenWrite < transmitted && !isOpen(firstOpenWrite, false)) {
      firstOpenWrite++;
    }
    while (firstOpenSignal < transmitted && !isOpen(firstOpenSignal, true)) {
      firstOpenSignal++;
    }
    while (oldest < completed && op(oldest).allLanded()) {
      oldest++;
    }
  }

  private boolean isOpen(long ticket, boolean signal) {
    LaneOp op = op(ticket);
    return (signal ? op.kind.isSignal() : op.kind == OpKind.WRITE) && !op.allLanded();
  }

  /** Everything outstanding counts as complete; what was not transmitted never takes effect. */
  void flush() {
    for (long ticket = transmitted; ticket < posted; ticket++) {
      op(ticket).pieces = 0;
    }
    for (long ticket = Math.max(completed, oldest); ticket < transmitted; ticket++) {
      if (op(ticket).kind == OpKind.READ) {
        op(ticket).drop();
      }
    }
    rung = posted;
    transmitted = posted;
    completed = posted;
    advance();
  }

  /** Whether the next operation to leave is a write of more packets than {@code packets}. */
  boolean nextSplitsAfter(long packets) {
    LaneOp next = op(transmitted);
    return next.kind == OpKind.WRITE && next.packets > packets;
  }

  /** Whether a transmitted read has not been answered. */
  boolean hasReadUnderWay() {
    for (long ticket = completed; ticket < transmitted; ticket++) {
      if (op(ticket).kind == OpKind.READ && !op(ticket).allLanded()) {
        return true;
      }
    }
    return false;
  }

  @Override
  public String toString() {
    return "posted "
        + posted
        + ", rung "
        + rung
        + ", transmitted "
        + transmitted
        + ", completed "
        + completed
        + ", first write not visible "
        + firstOpenWrite
        + ", first signal not visible "
        + firstOpenSignal;
  }
}
