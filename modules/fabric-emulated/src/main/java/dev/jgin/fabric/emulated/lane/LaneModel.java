// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.emulated.lane;

import dev.jgin.gin.spi.Fabric;
import java.util.function.LongConsumer;

/**
 * One direction of a lane, requester and responder, without any clock.
 *
 * <p>An operation is posted, rung, transmitted (its payload is captured and the responder accepts
 * it in packet order), completed (in order, any time after transmission: before anything is visible
 * is allowed and common) and visible in pieces. Which piece may become visible next is what the
 * axioms decide ({@link LaneRules}): {@link #forEachEnabled} lists every move that is allowed now,
 * and {@link #apply} makes one. A scheduler chooses by time, an explorer tries them all.
 *
 * <p>Where no axiom speaks, everything is allowed: a later write may pass an earlier signal or
 * read. A read is done at the target as one move; with A1w it waits for everything posted before
 * it.
 *
 * <p>Tickets of moves count over all generations; those of the SPI begin anew with each ({@link
 * #posted} and {@link #reaped}). Not thread-safe: drivers hold a lock.
 */
public final class LaneModel {

  private final LaneRules rules;
  private final OpMemory memory;
  private final Seeded random;
  private final OpRing ops;
  private final EffectOrder order;
  private final LaneGates gates = new LaneGates();
  private final LanePackets packets;

  private long reaped;
  private long generationBase;
  private int invisibleOps;

  /** A connected lane that carries bytes from {@code source} to {@code target}. */
  public LaneModel(
      LaneRules rules, TargetMemory source, TargetMemory target, int initialPsn, long seed) {
    this.rules = rules;
    this.memory = new OpMemory(source, target);
    this.random = new Seeded(seed);
    this.ops = new OpRing(rules);
    this.order = new EffectOrder(rules, ops);
    this.packets = new LanePackets(initialPsn);
  }

  // ---- requester: post, ring, reap

  /** Posts a write; {@code signal} if the target region is of kind SIGNAL. */
  public long postWrite(
      boolean signal, int fromRegion, long from, int toRegion, long to, long bytes) {
    OpKind kind = signal ? OpKind.SIGNAL_WRITE : OpKind.WRITE;
    return post(kind, false, fromRegion, from, toRegion, to, bytes);
  }

  /** Posts an inline write of the low {@code bytes} of {@code value}. */
  public long postInline(boolean signal, int toRegion, long to, long value, int bytes) {
    OpKind kind = signal ? OpKind.SIGNAL_WRITE : OpKind.WRITE;
    return post(kind, true, 0, value, toRegion, to, bytes);
  }

  /** Posts an atomic add. */
  public long postAtomic(int toRegion, long to, long addend) {
    return post(OpKind.ATOMIC, true, 0, addend, toRegion, to, Long.BYTES);
  }

  /** Posts a read from the target's {@code fromRegion} into the source's {@code toRegion}. */
  public long postRead(int fromRegion, long from, int toRegion, long to, long bytes) {
    return post(OpKind.READ, false, fromRegion, from, toRegion, to, bytes);
  }

  private long post(
      OpKind kind, boolean inline, int fromRegion, long from, int toRegion, long to, long bytes) {
    if (ops.posted - reaped >= rules.depth() || ops.isFull()) {
      return Fabric.FULL;
    }
    long ticket = ops.posted - generationBase;
    LaneOp op = ops.claim();
    op.post(kind, inline, fromRegion, from);
    boolean single = kind == OpKind.ATOMIC;
    op.target(toRegion, to, bytes, single ? 1 : Psn.packets(bytes, rules.mtuShift()));
    return ticket;
  }

  /** Lets everything posted be transmitted; on a closed sender it is flushed instead. */
  public void ring() {
    ops.rung = ops.posted;
    if (!gates.senderOpen()) {
      ops.flush();
    }
  }

  /** Reaps what is complete. */
  public void reap() {
    reaped = ops.completed;
  }

  /** Operations posted in this generation. */
  public long posted() {
    return ops.posted - generationBase;
  }

  /** Operations reaped in this generation. */
  public long reaped() {
    return reaped - generationBase;
  }

  // ---- moves

  /** Calls {@code action} with every {@link LaneMove} that is allowed now. */
  public void forEachEnabled(LongConsumer action) {
    if (canTransmit()) {
      action.accept(LaneMove.transmit(ops.transmitted));
    }
    if (canComplete(ops.completed)) {
      action.accept(LaneMove.complete(ops.completed));
    }
    order.forEachAllowed(gates.receiverOpen(), action);
  }

  /** Whether {@code move} is allowed now. */
  public boolean isEnabled(long move) {
    long ticket = LaneMove.ticket(move);
    return switch (LaneMove.kind(move)) {
      case LaneMove.TRANSMIT -> ticket == ops.transmitted && canTransmit();
      case LaneMove.COMPLETE -> canComplete(ticket);
      default ->
          order.allows(ticket, LaneMove.piece(move), LaneMove.times(move), gates.receiverOpen());
    };
  }

  /**
   * Whether {@code move} was made void by a closed end: its operation was flushed, or its
   * acknowledgement or response was lost.
   */
  public boolean isVoid(long move) {
    long ticket = LaneMove.ticket(move);
    return switch (LaneMove.kind(move)) {
      case LaneMove.TRANSMIT -> ticket < ops.transmitted;
      case LaneMove.COMPLETE -> ticket < ops.completed || gates.acksLost();
      default -> order.isVoid(ticket, LaneMove.piece(move), gates.receiverOpen());
    };
  }

  /**
   * Makes a move.
   *
   * @throws IllegalStateException if it is not enabled
   */
  public void apply(long move) {
    if (!isEnabled(move)) {
      throw new IllegalStateException(LaneMove.describe(move) + " is not allowed now: " + this);
    }
    switch (LaneMove.kind(move)) {
      case LaneMove.TRANSMIT -> transmit(ops.op(ops.transmitted).packets);
      case LaneMove.COMPLETE -> packets.acknowledge(ops.op(ops.completed++).packets);
      default -> land(ops.op(LaneMove.ticket(move)), LaneMove.piece(move), LaneMove.times(move));
    }
    ops.advance();
  }

  /** Whether an operation is rung and not transmitted. */
  public boolean hasRung() {
    return ops.rung > ops.transmitted;
  }

  /** Whether the next rung operation may leave. */
  public boolean canTransmit() {
    return hasRung() && gates.pass();
  }

  private boolean canComplete(long ticket) {
    if (ticket != ops.completed || ticket >= ops.transmitted || gates.acksLost()) {
      return false;
    }
    LaneOp op = ops.op(ticket);
    return op.kind != OpKind.READ || op.allLanded();
  }

  private void transmit(long accepted) {
    LaneOp op = ops.op(ops.transmitted++);
    packets.send(op.packets, accepted);
    if (accepted < op.packets) {
      op.bytes = accepted << rules.mtuShift();
    }
    memory.capture(op);
    op.split(rules, random);
    if (op.kind != OpKind.READ && op.pieces > 0) {
      invisibleOps++;
    }
  }

  private void land(LaneOp op, int piece, int times) {
    memory.perform(op, piece, times);
    op.land(piece);
    if (op.allLanded()) {
      memory.release(op);
      if (op.kind != OpKind.READ) {
        invisibleOps--;
      }
    }
  }

  /** Ticket, over all generations, that is transmitted next. */
  public long nextTransmit() {
    return ops.transmitted;
  }

  /** What a transmitted, not yet finished operation does. */
  public OpKind kind(long ticket) {
    return ops.op(ticket).kind;
  }

  /** In how many pieces a transmitted operation becomes visible; 0 if it has no bytes. */
  public int pieces(long ticket) {
    return ops.op(ticket).pieces;
  }

  /** Bytes of a posted operation. */
  public long bytes(long ticket) {
    return ops.op(ticket).bytes;
  }

  /** Whether everything that the responder accepted is visible at the target. */
  public boolean isDrained() {
    return invisibleOps == 0;
  }

  /** Whether work is outstanding that a closed receiver will never acknowledge. */
  public boolean isStuck() {
    boolean waits = hasRung() || (gates.acksLost() && ops.completed < ops.transmitted);
    return gates.isRefused() && waits;
  }

  /** The packet numbers of both ends. */
  public LanePackets packets() {
    return packets;
  }

  // ---- closing and connecting anew

  /** The requester stops: nothing more leaves, everything outstanding is flushed. */
  public void closeSender() {
    gates.closeSender();
    ops.flush();
  }

  /**
   * The responder stops accepting; a second call does nothing.
   *
   * @param losesAcks what it accepted and has not acknowledged yet never will be: the requester
   *     cannot know that it took effect. Reads under way are lost in any case.
   * @param partPackets if the next operation to leave is a write of more packets than this, so many
   *     of them are accepted still; 0 for none
   * @return the ticket of the write that was accepted in part, or −1
   */
  public long closeReceiver(boolean losesAcks, long partPackets) {
    if (!gates.receiverOpen()) {
      return -1;
    }
    long part = -1;
    if (partPackets > 0 && canTransmit() && ops.nextSplitsAfter(partPackets)) {
      part = ops.transmitted;
      transmit(partPackets);
      ops.advance();
    }
    gates.closeReceiver(losesAcks || part >= 0 || ops.hasReadUnderWay());
    return part;
  }

  /** Connects the requester's end anew. */
  public void openSender(int initialPsn) {
    // What was posted on the closed end and not rung belongs to the past too.
    ops.flush();
    generationBase = ops.posted;
    reaped = ops.posted;
    packets.openSender(initialPsn);
    gates.openSender();
  }

  /**
   * Connects the responder's end anew.
   *
   * @throws IllegalStateException if effects of the generation before are not visible yet
   */
  public void openReceiver(int initialPsn) {
    if (!isDrained()) {
      throw new IllegalStateException("not drained: " + this);
    }
    packets.openReceiver(initialPsn);
    gates.openReceiver();
  }

  @Override
  public String toString() {
    return ops + ", " + gates;
  }
}
