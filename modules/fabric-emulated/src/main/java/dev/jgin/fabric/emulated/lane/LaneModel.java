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
 * <p>Tickets here count over all generations; those of the SPI begin anew with each ({@link
 * #posted} and {@link #reaped}). Not thread-safe: drivers hold a lock.
 */
public final class LaneModel {

  private final LaneRules rules;
  private final TargetMemory source;
  private final TargetMemory target;
  private final Seeded random;
  private final PayloadPool pool = new PayloadPool();
  private final LaneOp[] ops;

  private long posted;
  private long rung;
  private long transmitted;
  private long completed;
  private long reaped;
  private long generationBase;

  /** Slots below are free: complete and visible. */
  private long oldest;

  private long firstOpenWrite;
  private long firstOpenSignal;
  private int pendingOps;

  private int nextPsn;
  private int ackedPsn;
  private int expectedPsn;
  private int messages;
  private boolean senderOpen = true;
  private boolean receiverOpen = true;
  private boolean acksLost;
  private long senderGeneration = 1;
  private long receiverGeneration = 1;

  /** A connected lane that carries bytes from {@code source} to {@code target}. */
  public LaneModel(
      LaneRules rules, TargetMemory source, TargetMemory target, int initialPsn, long seed) {
    this.rules = rules;
    this.source = source;
    this.target = target;
    this.random = new Seeded(seed);
    // More places than may be outstanding, because visibility outlives completion.
    this.ops = new LaneOp[Integer.highestOneBit(4 * rules.depth() - 1) * 2];
    this.nextPsn = initialPsn;
    this.ackedPsn = initialPsn;
    this.expectedPsn = initialPsn;
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
    if (posted - reaped >= rules.depth() || posted - oldest == ops.length) {
      return Fabric.FULL;
    }
    int slot = (int) posted & (ops.length - 1);
    LaneOp op = ops[slot];
    if (op == null) {
      op = new LaneOp(rules.maxPieces());
      ops[slot] = op;
    }
    op.post(kind, inline, fromRegion, from);
    op.target(
        toRegion, to, bytes, kind == OpKind.ATOMIC ? 1 : Psn.packets(bytes, rules.mtuShift()));
    return posted++ - generationBase;
  }

  /** Lets everything posted be transmitted; on a closed sender it is flushed instead. */
  public void ring() {
    rung = posted;
    if (!senderOpen) {
      flush();
    }
  }

  /** Reaps what is complete. */
  public void reap() {
    reaped = completed;
  }

  /** Operations posted in this generation. */
  public long posted() {
    return posted - generationBase;
  }

  /** Operations reaped in this generation. */
  public long reaped() {
    return reaped - generationBase;
  }

  // ---- moves

  /** Calls {@code action} with every {@link LaneMove} that is allowed now. */
  public void forEachEnabled(LongConsumer action) {
    if (canTransmit()) {
      action.accept(LaneMove.transmit(transmitted));
    }
    if (canComplete(completed)) {
      action.accept(LaneMove.complete(completed));
    }
    for (long ticket = oldest; ticket < transmitted; ticket++) {
      LaneOp op = op(ticket);
      for (int piece = 0; piece < op.pieces; piece++) {
        for (int times = 0; times <= 2; times++) {
          if (canTakeEffect(ticket, piece, times)) {
            action.accept(LaneMove.effect(ticket, piece, times));
          }
        }
      }
    }
  }

  /** Whether {@code move} is allowed now. */
  public boolean isEnabled(long move) {
    long ticket = LaneMove.ticket(move);
    return switch (LaneMove.kind(move)) {
      case LaneMove.TRANSMIT -> ticket == transmitted && canTransmit();
      case LaneMove.COMPLETE -> canComplete(ticket);
      default -> canTakeEffect(ticket, LaneMove.piece(move), LaneMove.times(move));
    };
  }

  /**
   * Whether {@code move} was made void by a closed end: its operation was flushed, or its
   * acknowledgement or response was lost.
   */
  public boolean isVoid(long move) {
    long ticket = LaneMove.ticket(move);
    return switch (LaneMove.kind(move)) {
      case LaneMove.TRANSMIT -> ticket < transmitted;
      case LaneMove.COMPLETE -> ticket < completed || acksLost;
      default -> {
        boolean gone = ticket < oldest || op(ticket).hasLanded(LaneMove.piece(move));
        yield gone || (op(ticket).kind == OpKind.READ && !receiverOpen);
      }
    };
  }

  /**
   * Makes a move.
   *
   * @throws IllegalStateException if it is not enabled
   */
  public void apply(long move) {
    if (!isEnabled(move)) {
      throw new IllegalStateException(
          LaneMove.describe(move) + " is not allowed now: " + describe());
    }
    switch (LaneMove.kind(move)) {
      case LaneMove.TRANSMIT -> transmit(op(transmitted).packets);
      case LaneMove.COMPLETE -> {
        ackedPsn = Psn.add(ackedPsn, op(completed).packets);
        completed++;
      }
      default -> land(op(LaneMove.ticket(move)), LaneMove.piece(move), LaneMove.times(move));
    }
    advance();
  }

  /** Whether an operation is rung and not transmitted. */
  public boolean hasRung() {
    return rung > transmitted;
  }

  /** Whether the next rung operation may leave. */
  public boolean canTransmit() {
    return hasRung() && senderOpen && receiverOpen && senderGeneration == receiverGeneration;
  }

  private boolean canComplete(long ticket) {
    if (ticket != completed || completed >= transmitted || acksLost || !senderOpen) {
      return false;
    }
    LaneOp op = op(ticket);
    return op.kind != OpKind.READ || op.allLanded();
  }

  private boolean canTakeEffect(long ticket, int piece, int times) {
    if (ticket < oldest || ticket >= transmitted) {
      return false;
    }
    LaneOp op = op(ticket);
    if (piece >= op.pieces || op.hasLanded(piece)) {
      return false;
    }
    if (times != 1 && (op.kind != OpKind.ATOMIC || rules.a6() || times > 2)) {
      return false;
    }
    boolean inOrder = piece == op.firstOpenPiece();
    return switch (op.kind) {
      case WRITE -> !rules.a1w() || (firstOpenWrite == ticket && inOrder);
      case SIGNAL_WRITE, ATOMIC ->
          (!rules.a4() || firstOpenWrite >= ticket)
              && (!rules.a1s() || (firstOpenSignal == ticket && inOrder));
      case READ ->
          receiverOpen && (!rules.a1w() || (firstOpenWrite >= ticket && firstOpenSignal >= ticket));
    };
  }

  private void transmit(long accepted) {
    LaneOp op = op(transmitted);
    nextPsn = Psn.add(nextPsn, op.packets);
    expectedPsn = Psn.add(expectedPsn, accepted);
    if (accepted == op.packets) {
      messages = Psn.add(messages, 1);
    } else {
      op.bytes = accepted << rules.mtuShift();
    }
    if (!op.inline && op.kind != OpKind.READ && op.bytes > 0) {
      op.payload = pool.take(op.bytes);
      source.load(op.fromRegion, op.from, op.payload, 0, op.bytes);
    }
    op.split(rules, random);
    transmitted++;
    if (op.kind != OpKind.READ && op.pieces > 0) {
      pendingOps++;
    }
  }

  private void land(LaneOp op, int piece, int times) {
    long at = op.cut[piece];
    long bytes = op.cut[piece + 1] - at;
    switch (op.kind) {
      case ATOMIC -> {
        for (int i = 0; i < times; i++) {
          target.add(op.toRegion, op.to, op.from);
        }
      }
      case READ -> {
        op.payload = pool.take(bytes);
        target.load(op.fromRegion, op.from, op.payload, 0, bytes);
        source.store(op.toRegion, op.to, op.payload, 0, bytes);
      }
      default -> {
        if (op.inline) {
          target.storeWord(op.toRegion, op.to, op.from, (int) op.bytes);
        } else {
          target.store(op.toRegion, op.to + at, op.payload, at, bytes);
        }
      }
    }
    op.land(piece);
    if (op.allLanded()) {
      release(op);
      if (op.kind != OpKind.READ) {
        pendingOps--;
      }
    }
  }

  private void release(LaneOp op) {
    if (op.payload != null) {
      pool.give(op.payload);
      op.payload = null;
    }
  }

  private LaneOp op(long ticket) {
    return ops[(int) ticket & (ops.length - 1)];
  }

  /** Moves the marks over everything that no longer holds anything back. */
  private void advance() {
    while (firstOpenWrite < transmitted && !isOpen(firstOpenWrite, true)) {
      firstOpenWrite++;
    }
    while (firstOpenSignal < transmitted && !isOpen(firstOpenSignal, false)) {
      firstOpenSignal++;
    }
    while (oldest < completed && op(oldest).allLanded()) {
      oldest++;
    }
  }

  private boolean isOpen(long ticket, boolean write) {
    LaneOp op = op(ticket);
    return (write ? op.kind == OpKind.WRITE : op.kind.isSignal()) && !op.allLanded();
  }

  // ---- what drivers ask

  /** Ticket, over all generations, that is transmitted next. */
  public long nextTransmit() {
    return transmitted;
  }

  /** What a transmitted, not yet finished operation does. */
  public OpKind kind(long ticket) {
    return op(ticket).kind;
  }

  /** In how many pieces a transmitted operation becomes visible; 0 if it has no bytes. */
  public int pieces(long ticket) {
    return op(ticket).pieces;
  }

  /** Bytes of a posted operation. */
  public long bytes(long ticket) {
    return op(ticket).bytes;
  }

  /** Whether everything that the responder accepted is visible at the target. */
  public boolean isDrained() {
    return pendingOps == 0;
  }

  /** Whether work is outstanding that a closed receiver will never acknowledge. */
  public boolean isStuck() {
    boolean waits = hasRung() || (acksLost && completed < transmitted);
    return senderOpen && !receiverOpen && senderGeneration == receiverGeneration && waits;
  }

  /** The packet number that the requester sends next. */
  public int nextPsn() {
    return nextPsn;
  }

  /** The first packet number that the requester has not seen acknowledged. */
  public int ackedPsn() {
    return ackedPsn;
  }

  /** The packet number that the responder expects next. */
  public int expectedPsn() {
    return expectedPsn;
  }

  /** Messages that the responder completed in this generation, modulo 2^24. */
  public int messages() {
    return messages;
  }

  // ---- closing and connecting anew

  /** The requester stops: nothing more leaves, everything outstanding is flushed. */
  public void closeSender() {
    senderOpen = false;
    flush();
  }

  private void flush() {
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

  /**
   * The responder stops accepting.
   *
   * @param losesAcks what it accepted and has not acknowledged yet never will be: the requester
   *     cannot know that it took effect. Reads under way are lost in any case.
   * @param partPackets if the next operation to leave is a write of more packets than this, so many
   *     of them are accepted still; 0 for none
   * @return the ticket of the write that was accepted in part, or −1
   */
  public long closeReceiver(boolean losesAcks, long partPackets) {
    if (!receiverOpen) {
      return -1;
    }
    long part = -1;
    if (partPackets > 0 && canTransmit() && splits(op(transmitted), partPackets)) {
      part = transmitted;
      transmit(partPackets);
    }
    receiverOpen = false;
    acksLost = losesAcks || part >= 0 || readsUnderWay();
    advance();
    return part;
  }

  private static boolean splits(LaneOp op, long partPackets) {
    return op.kind == OpKind.WRITE && op.packets > partPackets;
  }

  private boolean readsUnderWay() {
    for (long ticket = completed; ticket < transmitted; ticket++) {
      if (op(ticket).kind == OpKind.READ && !op(ticket).allLanded()) {
        return true;
      }
    }
    return false;
  }

  /** Connects the requester's end anew. */
  public void openSender(int initialPsn) {
    generationBase = posted;
    reaped = posted;
    nextPsn = initialPsn;
    ackedPsn = initialPsn;
    acksLost = false;
    senderOpen = true;
    senderGeneration++;
  }

  /**
   * Connects the responder's end anew.
   *
   * @throws IllegalStateException if effects of the generation before are not visible yet
   */
  public void openReceiver(int initialPsn) {
    if (!isDrained()) {
      throw new IllegalStateException("not drained: " + describe());
    }
    expectedPsn = initialPsn;
    messages = 0;
    receiverOpen = true;
    receiverGeneration++;
  }

  /** State for messages. */
  public String describe() {
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
        + firstOpenSignal
        + ", sender "
        + (senderOpen ? "open" : "closed")
        + ", receiver "
        + (receiverOpen ? "open" : "closed");
  }
}
