// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gpu.proxy;

/**
 * Moves descriptors from one ring to its lane, until the ring has brought its ARRIVE; then holds
 * the ring until the operation is over.
 *
 * <p>What finds no room on the lane stays in the ring, and so does a FLUSH until the sources in
 * front of it are reusable: the producer sees a full ring and waits. One thread at a time;
 * allocates only to throw.
 */
final class RingPump {
  private final RingMemory memory;
  private final ProxyRing ring;
  private final DescriptorChecks checks;
  private final LanePoster lane;
  private boolean checked;
  private boolean flushing;
  private boolean arrived;
  private int operation;
  private long epoch;

  RingPump(RingMemory memory, ProxyRing ring, DescriptorChecks checks, LanePoster lane) {
    this.memory = memory;
    this.ring = ring;
    this.checks = checks;
    this.lane = lane;
  }

  /**
   * Takes and posts up to {@code most} descriptors, rings once and tells the producer.
   *
   * @return how many were taken
   * @throws MalformedDescriptorException if one says what it cannot; those before it are posted
   */
  int pump(int most) {
    int taken = 0;
    try {
      while (taken < most && !arrived && next()) {
        ring.advance();
        taken++;
      }
    } finally {
      lane.ring();
      ring.publish();
    }
    return taken;
  }

  /** Deals with the next descriptor; false if there is none, or it must wait. */
  private boolean next() {
    if (!checked) {
      if (!ring.take()) {
        return false;
      }
      checks.check(ring.descriptor, ring.position());
      checked = true;
    }
    if (!act(ring.descriptor)) {
      return false;
    }
    checked = false;
    return true;
  }

  private boolean act(Descriptor d) {
    int kind = d.operation();
    if (kind == Descriptor.FLUSH) {
      return flushed();
    }
    if (kind != Descriptor.ARRIVE) {
      return lane.post(d);
    }
    lane.mark();
    arrived = true;
    operation = (int) d.high();
    epoch = d.epoch();
    return true;
  }

  private boolean flushed() {
    if (!flushing) {
      lane.mark();
      flushing = true;
    }
    if (!lane.completeAfterLooking()) {
      return false;
    }
    flushing = false;
    return true;
  }

  /** Whether a descriptor waits for room on the lane, or for completions in front of a FLUSH. */
  boolean stalled() {
    return checked;
  }

  /** Whether the ring has brought its ARRIVE. */
  boolean arrived() {
    return arrived;
  }

  /** The operation that the ring has arrived at: {@code JGIN_OP_…}. */
  int operation() {
    return operation;
  }

  /** The epoch that the ring has arrived at. */
  long epoch() {
    return epoch;
  }

  /** The puts that it brought since the last ARRIVE. */
  long puts() {
    return checks.puts();
  }

  /** Whether the operation's sources are reusable. */
  boolean complete() {
    return lane.complete();
  }

  /** The operation is over: what the ring brings now is of the next one. */
  void release() {
    arrived = false;
    checks.next();
  }

  /** The lane. */
  LanePoster lane() {
    return lane;
  }

  /** The ring and how far it is, for messages. */
  String describe() {
    String why = flushing ? ", in a FLUSH" : checked ? ", its lane is full" : "";
    return memory.name() + " at descriptor " + ring.position() + why;
  }

  /** The ring has arrived at something else than the others. */
  MalformedDescriptorException disagrees(int rank, int stream, String why) {
    return new MalformedDescriptorException(
        rank, stream, memory, ring.position() - 1, Descriptor.EPOCH, epoch, why);
  }
}
