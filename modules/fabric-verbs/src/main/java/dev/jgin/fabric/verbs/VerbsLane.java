// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.verbs;

import dev.jgin.bindings.Errno;
import dev.jgin.fabric.verbs.device.QueuePair;
import dev.jgin.fabric.verbs.device.WcStatus;
import dev.jgin.fabric.verbs.queue.LaneTickets;
import dev.jgin.fabric.verbs.queue.SendRing;
import dev.jgin.gin.spi.LaneSample;
import dev.jgin.gin.spi.LaneStatus;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * One end of a lane: a queue pair, its work requests and counts, its error.
 *
 * <p>Posting, ringing and completing are for the thread that drives the context; {@link #fail} and
 * {@link #error} for any.
 */
final class VerbsLane {

  /** Where recovery stands. */
  enum State {
    CONNECTED,
    FENCED,
    PREPARED
  }

  final int context;
  final int peer;
  final SendRing ring;
  final LaneTickets tickets;
  private final AtomicLong failures;
  private final AtomicReference<LaneError> error = new AtomicReference<>();
  private QueuePair pair;
  private QueuePair next;
  private State state = State.CONNECTED;
  private boolean drained;
  private LaneSample frozen;
  private volatile long generation = 1;

  VerbsLane(
      int context,
      int peer,
      SendRing ring,
      LaneTickets tickets,
      QueuePair pair,
      AtomicLong failures) {
    this.context = context;
    this.peer = peer;
    this.ring = ring;
    this.tickets = tickets;
    this.pair = pair;
    this.failures = failures;
    tickets.start(pair.psn());
  }

  QueuePair pair() {
    return pair;
  }

  long generation() {
    return generation;
  }

  LaneError error() {
    return error.get();
  }

  boolean failed() {
    return error.get() != null;
  }

  /** Notes a failure; the first one wins. */
  boolean fail(LaneStatus status, String code, int vendorError, long ticket) {
    if (!error.compareAndSet(null, new LaneError(status, code, vendorError, ticket))) {
      return false;
    }
    failures.incrementAndGet();
    return true;
  }

  /** Gives everything posted to the queue pair with one doorbell. */
  void ring() {
    long from = tickets.rung();
    long to = tickets.posted();
    if (from == to || failed()) {
      return;
    }
    int last = tickets.slot(to - 1);
    ring.signal(last);
    int errno = pair.post(ring.cut(tickets.slot(from), last));
    ring.link(last);
    if (errno == 0) {
      tickets.rang(to);
      return;
    }
    int refused = ring.slotAt(pair.refused());
    long stopped = from;
    while (stopped < to && tickets.slot(stopped) != refused) {
      stopped++;
    }
    tickets.rang(stopped);
    fail(LaneStatus.LOCAL_DEVICE, "post_send: " + Errno.describe(errno), 0, stopped);
    // What was posted before the refused one is flushed by the device, and so accounted for.
    pair.fail();
  }

  /** Takes a completion of this generation. */
  void completed(int low, int status, int vendorError) {
    long ticket = tickets.ticketOf(low);
    if (!tickets.outstanding(ticket)) {
      fail(LaneStatus.CARRIER_CONTRACT, "completion of " + ticket, vendorError, ticket);
      return;
    }
    if (status == WcStatus.SUCCESS.code()) {
      tickets.succeeded(ticket);
      return;
    }
    WcStatus what = WcStatus.of(status);
    if (tickets.sound()) {
      tickets.failedFirst(ticket);
    } else {
      tickets.flushed(ticket);
    }
    fail(what.lane(), what.header(), vendorError, ticket);
  }

  State state() {
    return state;
  }

  void requireFenced(String action) {
    if (state == State.CONNECTED) {
      throw new IllegalStateException(describe() + " is not fenced: fence it before " + action);
    }
  }

  String describe() {
    return "lane (context " + context + ", peer " + peer + ") of generation " + generation;
  }

  void fenced() {
    state = State.FENCED;
  }

  boolean isDrained() {
    return drained;
  }

  /** Notes that nothing that this end accepted is still under way, and freezes its numbers. */
  void drained() {
    frozen = sampleNow();
    drained = true;
  }

  LaneSample sample() {
    return frozen != null ? frozen : sampleNow();
  }

  /**
   * The requester's numbers are counted here: a device that is about to send again has set its own
   * back, and what it sent before may have been accepted.
   */
  private LaneSample sampleNow() {
    return new LaneSample(
        generation,
        tickets.nextPsn(),
        tickets.ackedPsn(),
        pair.sample().expected(),
        LaneSample.MESSAGES_UNKNOWN);
  }

  QueuePair next() {
    return next;
  }

  void prepared(QueuePair fresh) {
    if (next != null) {
      next.close();
    }
    next = fresh;
    state = State.PREPARED;
  }

  /** Replaces the queue pair by the prepared one, which is connected. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // one thread at a time recovers a lane
  void reconnected() {
    pair.close();
    pair = next;
    next = null;
    tickets.start(pair.psn());
    frozen = null;
    drained = false;
    state = State.CONNECTED;
    generation++;
    error.set(null);
  }

  void close() {
    if (next != null) {
      next.close();
    }
    pair.close();
  }
}
