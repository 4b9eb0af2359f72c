// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.emulated.fault;

import dev.jgin.gin.spi.Fabric;
import dev.jgin.gin.spi.LaneStatus;
import java.util.ArrayList;
import java.util.List;

/** The faults of one lane and which of them have gone off. Driven like the lane itself. */
final class LaneFaults {

  private final Fabric fabric;
  private final int context;
  private final int peer;
  private final List<Fault.OfLane> pending = new ArrayList<>();

  private long heldUntil = Long.MIN_VALUE;
  private boolean ringHeld;
  private long miscounted;
  private long miscountGeneration;
  private volatile LaneStatus failure = LaneStatus.OK;
  private volatile long failureGeneration;

  LaneFaults(Fabric fabric, int context, int peer) {
    this.fabric = fabric;
    this.context = context;
    this.peer = peer;
  }

  void add(Fault.OfLane fault) {
    pending.add(fault);
  }

  private long generation() {
    return fabric.laneControl().generation(context, peer);
  }

  /** After a posting: a lane that fails is fenced, so that nothing of it is sent any more. */
  void posted(long ticket) {
    for (int i = pending.size() - 1; i >= 0; i--) {
      if (pending.get(i) instanceof Fault.FailLane fault && ticket >= fault.ticket()) {
        pending.remove(i);
        fail(fault.status());
      }
    }
  }

  private void fail(LaneStatus status) {
    if (fabric.error(context, peer) == LaneStatus.OK.word()) {
      failureGeneration = generation();
      failure = status;
      fabric.laneControl().fence(context, peer);
    }
  }

  /** The error word that the lane shows. */
  int error() {
    int word = fabric.error(context, peer);
    boolean ours = failure != LaneStatus.OK && failureGeneration == generation();
    return word == LaneStatus.FENCED.word() && ours ? failure.word() : word;
  }

  void ring(long now, boolean paused) {
    for (int i = pending.size() - 1; i >= 0; i--) {
      if (pending.get(i) instanceof Fault.DelayLane fault
          && fabric.posted(context, peer) > fault.ticket()) {
        pending.remove(i);
        heldUntil = now + fault.nanos();
      }
    }
    ringHeld = true;
    release(now, paused);
  }

  /** Rings for the caller if a ring was withheld and its time has come. */
  void release(long now, boolean paused) {
    if (ringHeld && !paused && (heldUntil == Long.MIN_VALUE || now - heldUntil >= 0)) {
      ringHeld = false;
      heldUntil = Long.MIN_VALUE;
      fabric.ring(context, peer);
    }
  }

  /** What the lane claims to have completed. */
  long completed() {
    long completed = fabric.completed(context, peer);
    for (int i = pending.size() - 1; i >= 0; i--) {
      Fault.OfLane fault = pending.get(i);
      if (completed > fault.ticket()) {
        int change = change(fault);
        if (change != 0) {
          pending.remove(i);
          miscounted += change;
          miscountGeneration = generation();
        }
      }
    }
    boolean applies = miscounted != 0 && miscountGeneration == generation();
    return applies ? completed + miscounted : completed;
  }

  private static int change(Fault.OfLane fault) {
    return switch (fault) {
      case Fault.LoseCompletion _ -> -1;
      case Fault.DuplicateCompletion _ -> 1;
      case Fault.DelayLane _, Fault.FailLane _ -> 0;
    };
  }
}
