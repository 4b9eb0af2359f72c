// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gpu.proxy;

import dev.jgin.bindings.abi.abi_h;

/** The part of a {@link GpuTwin} that pushes one operation's descriptors into one ring. */
final class TwinLane {
  private final RingProducer producer;
  private final TwinRows rows;
  private final int self;
  private int kind;
  private long epoch;
  private int contexts;
  private int count;
  private int slot;
  private boolean counted;
  private boolean flushed;
  private boolean arrived;

  TwinLane(RingProducer producer, TwinRows rows, int self) {
    this.producer = producer;
    this.rows = rows;
    this.self = self;
  }

  /** Begins an operation. Rows take contexts in turn, the count takes context 0. */
  void begin(int kindOf, long epochOf, int contextsOf) {
    kind = kindOf;
    epoch = epochOf;
    contexts = contextsOf;
    count = rows.rows(kind, epoch, self, producer.ring().peer());
    slot = 0;
    counted = false;
    // Every third operation has a flush in the middle of each ring.
    flushed = epoch % 3 != 0;
    arrived = false;
  }

  boolean isDone() {
    return arrived && !producer.isWriting();
  }

  /** Writes up to {@code most} words; how many. */
  int push(int most) {
    int written = 0;
    while (written < most && (producer.isWriting() || begin())) {
      producer.writeWord();
      written++;
    }
    return written;
  }

  private boolean begin() {
    int context = producer.ring().context();
    int peer = producer.ring().peer();
    for (; slot < count; slot++) {
      if (Math.floorMod(slot + peer + epoch, contexts) == context) {
        return beginRow(peer);
      }
    }
    if (!flushed) {
      flushed = producer.beginFlush(epoch);
      return flushed;
    }
    if (!counted && context == 0) {
      long at = kind * 2L * rows.ranks() * Long.BYTES + rows.countAt(epoch, self);
      counted =
          producer.beginPutValue(
              abi_h.JGIN_WINDOW_RECEIVE_COUNTS(), at, rows.count(kind, epoch, self, peer), epoch);
      return counted;
    }
    if (!arrived) {
      arrived = producer.beginArrive(kind, epoch);
      return arrived;
    }
    return false;
  }

  private boolean beginRow(int peer) {
    boolean dispatch = kind == abi_h.JGIN_OP_DISPATCH();
    boolean begun =
        producer.beginPut(
            dispatch ? abi_h.JGIN_WINDOW_SEND_ROWS() : abi_h.JGIN_WINDOW_SEND_RETURNS(),
            rows.sendAt(peer, slot),
            dispatch ? abi_h.JGIN_WINDOW_RECEIVE_ROWS() : abi_h.JGIN_WINDOW_RECEIVE_RETURNS(),
            rows.receiveAt(epoch, self, slot),
            rows.rowBytes(),
            epoch);
    if (begun) {
      slot++;
    }
    return begun;
  }
}
