// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.emulated.lane;

import java.util.function.LongConsumer;

/** The axioms as code: which effect of a lane may happen next. */
final class EffectOrder {

  private final LaneRules rules;
  private final OpRing ops;

  EffectOrder(LaneRules rules, OpRing ops) {
    this.rules = rules;
    this.ops = ops;
  }

  /** Calls {@code action} with every effect that is allowed now. */
  void forEachAllowed(boolean readsAreAnswered, LongConsumer action) {
    for (long ticket = ops.oldest(); ticket < ops.transmitted; ticket++) {
      for (int piece = 0; piece < ops.op(ticket).pieces; piece++) {
        for (int times = 0; times <= 2; times++) {
          if (allows(ticket, piece, times, readsAreAnswered)) {
            action.accept(LaneMove.effect(ticket, piece, times));
          }
        }
      }
    }
  }

  /** Whether a scheduled effect was flushed, or is a read that nobody answers any more. */
  boolean isVoid(long ticket, int piece, boolean readsAreAnswered) {
    LaneOp op = ops.op(ticket);
    return ticket < ops.oldest()
        || op.hasLanded(piece)
        || (op.kind == OpKind.READ && !readsAreAnswered);
  }

  /** Whether {@code piece} of a transmitted operation may take effect {@code times} times. */
  boolean allows(long ticket, int piece, int times, boolean readsAreAnswered) {
    if (ticket < ops.oldest() || ticket >= ops.transmitted) {
      return false;
    }
    LaneOp op = ops.op(ticket);
    if (piece >= op.pieces || op.hasLanded(piece) || !mayHappen(op, times)) {
      return false;
    }
    boolean writesBefore = ops.writesVisibleBefore(ticket);
    boolean signalsBefore = ops.signalsVisibleBefore(ticket);
    boolean piecesBefore = piece == op.firstOpenPiece();
    return switch (op.kind) {
      case WRITE -> !rules.a1w() || (writesBefore && piecesBefore);
      case SIGNAL_WRITE, ATOMIC ->
          (!rules.a4() || writesBefore) && (!rules.a1s() || (signalsBefore && piecesBefore));
      case READ -> readsAreAnswered && (!rules.a1w() || (writesBefore && signalsBefore));
    };
  }

  /** Once is always possible; not at all and twice only for atomics that nothing promises. */
  private boolean mayHappen(LaneOp op, int times) {
    return times == 1 || (times <= 2 && op.kind == OpKind.ATOMIC && !rules.a6());
  }
}
