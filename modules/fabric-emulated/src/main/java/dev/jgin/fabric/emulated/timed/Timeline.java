// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.emulated.timed;

import dev.jgin.fabric.emulated.lane.LaneModel;
import dev.jgin.fabric.emulated.lane.LaneMove;
import dev.jgin.fabric.emulated.lane.LaneRules;
import dev.jgin.fabric.emulated.lane.OpKind;
import dev.jgin.fabric.emulated.lane.Seeded;
import dev.jgin.gin.spi.LaneStatus;

/**
 * The moves of some lanes, in order of time. When an operation leaves, the times of its completion
 * and of each of its pieces are drawn, each no earlier than what the axioms put before it; the lane
 * model checks at delivery that the move is allowed.
 *
 * <p>All methods need this object's monitor.
 */
final class Timeline {

  /** A move of the timed driver itself: the requester gives up. */
  private static final long GIVE_UP = 3L << 60;

  private final EventHeap<TimedLane> events = new EventHeap<>();
  private final LaneRules rules;
  private final LaneWatcher watcher;
  private long now;
  private long delivered;
  private long traceHash;

  Timeline(LaneRules rules, LaneWatcher watcher) {
    this.rules = rules;
    this.watcher = watcher;
  }

  /** The time of the last delivery or {@link #advanceTo}. */
  long now() {
    return now;
  }

  /** Moves time forward, never back. */
  void advanceTo(long time) {
    now = Math.max(now, time);
  }

  /** Time of the next move, {@link Long#MAX_VALUE} if there is none. */
  long nextTime() {
    return events.nextTime();
  }

  /** Moves delivered so far. */
  long delivered() {
    return delivered;
  }

  /** A hash of everything delivered, in order and with its time. */
  long traceHash() {
    return traceHash;
  }

  /** Adds something to the trace. */
  void trace(long what) {
    traceHash = Seeded.mix(traceHash ^ now) + Seeded.mix(what);
  }

  /** Schedules the lane's next transmission if one is due and none is scheduled. */
  void kick(TimedLane lane) {
    LaneModel model = lane.model;
    if (lane.transmitScheduled || !model.hasRung()) {
      return;
    }
    lane.transmitScheduled = true;
    long at = Math.max(now, lane.lastTransmit);
    long gap = lane.delays.gap(model.bytes(model.nextTransmit()));
    events.push(at + gap, lane, LaneMove.transmit(0));
  }

  /** Delivers the next move. */
  void deliverNext() {
    now = Math.max(now, events.nextTime());
    events.pop();
    TimedLane lane = events.owner();
    long move = events.move();
    delivered++;
    trace(move ^ (lane.id << 32));
    if (move == GIVE_UP) {
      giveUp(lane);
    } else if (LaneMove.kind(move) == LaneMove.TRANSMIT) {
      transmit(lane);
    } else if (!lane.model.isVoid(move)) {
      lane.model.apply(move);
      report(lane, move);
    }
  }

  private void report(TimedLane lane, long move) {
    if (LaneMove.kind(move) == LaneMove.COMPLETE) {
      watcher.completed(lane);
      watcher.moved(lane.source);
    } else {
      watcher.moved(lane.target);
    }
  }

  private void transmit(TimedLane lane) {
    lane.transmitScheduled = false;
    LaneModel model = lane.model;
    if (watcher.targetFailed(lane)) {
      model.closeReceiver(false, 0);
    }
    if (model.canTransmit()) {
      long ticket = model.nextTransmit();
      model.apply(LaneMove.transmit(ticket));
      lane.lastTransmit = now;
      scheduleEffects(lane, ticket);
      scheduleCompletion(lane, ticket);
      kick(lane);
    } else {
      giveUpIfStuck(lane);
    }
  }

  /** Schedules the requester's failure if it waits for a closed end. */
  void giveUpIfStuck(TimedLane lane) {
    if (lane.model.isStuck()) {
      events.push(now + lane.delays.retry(), lane, GIVE_UP);
    }
  }

  private void giveUp(TimedLane lane) {
    if (lane.model.isStuck()) {
      lane.model.closeSender();
      fail(lane, LaneStatus.RETRY_EXCEEDED);
    }
  }

  /** Notes the failure of the source's end. */
  void fail(TimedLane lane, LaneStatus status) {
    if (lane.end.fail(status)) {
      watcher.failed(lane);
    }
    watcher.completed(lane);
    watcher.moved(lane.source);
  }

  /** Draws when the pieces of an accepted operation become visible. */
  void scheduleEffects(TimedLane lane, long ticket) {
    OpKind kind = lane.model.kind(ticket);
    int pieces = lane.model.pieces(ticket);
    for (int piece = 0; piece < pieces; piece++) {
      long when = notBefore(lane, kind, now + lane.delays.visible());
      int times = kind == OpKind.ATOMIC && !rules.a6() ? lane.delays.timesWithoutA6() : 1;
      events.push(when, lane, LaneMove.effect(ticket, piece, times));
    }
  }

  private long notBefore(TimedLane lane, OpKind kind, long drawn) {
    long when = drawn;
    switch (kind) {
      case WRITE -> {
        when = rules.a1w() ? Math.max(when, lane.lastWrite) : when;
        lane.lastWrite = Math.max(lane.lastWrite, when);
      }
      case SIGNAL_WRITE, ATOMIC -> {
        when = rules.a4() ? Math.max(when, lane.lastWrite) : when;
        when = rules.a1s() ? Math.max(when, lane.lastSignal) : when;
        lane.lastSignal = Math.max(lane.lastSignal, when);
      }
      case READ -> {
        when = rules.a1w() ? Math.max(when, Math.max(lane.lastWrite, lane.lastSignal)) : when;
        // Its completion waits for it.
        lane.lastComplete = Math.max(lane.lastComplete, when);
      }
    }
    return when;
  }

  private void scheduleCompletion(TimedLane lane, long ticket) {
    lane.lastComplete = Math.max(lane.lastComplete, now + lane.delays.complete());
    events.push(lane.lastComplete, lane, LaneMove.complete(ticket));
  }
}
