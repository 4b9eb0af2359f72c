// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.verbs;

import dev.jgin.fabric.verbs.device.CompletionQueue;
import dev.jgin.fabric.verbs.queue.WorkId;

/** One context: a lane to every peer and the completion queue that they share. */
final class VerbsContext implements CompletionQueue.Sink {

  private final CompletionQueue completions;
  private final VerbsLane[] lanes;

  VerbsContext(CompletionQueue completions, int ranks) {
    this.completions = completions;
    this.lanes = new VerbsLane[ranks];
  }

  CompletionQueue completions() {
    return completions;
  }

  void add(VerbsLane lane) {
    lanes[lane.peer] = lane;
  }

  VerbsLane lane(int peer) {
    return lanes[peer];
  }

  VerbsLane[] lanes() {
    return lanes;
  }

  /**
   * Reaps completions.
   *
   * @param anyFailed whether a lane of this rank has ever failed
   */
  void poll(boolean anyFailed) {
    completions.poll(this);
    if (anyFailed) {
      for (VerbsLane lane : lanes) {
        if (lane.failed()) {
          lane.tickets.dropUnrung();
        }
      }
    }
  }

  @Override
  public void completed(long id, int status, int vendorError) {
    VerbsLane lane = lanes[WorkId.peer(id)];
    // Otherwise it is of a queue pair that has been replaced since.
    if (WorkId.isOf(id, lane.generation())) {
      lane.completed(WorkId.ticket(id), status, vendorError);
    }
  }

  void close() {
    for (VerbsLane lane : lanes) {
      if (lane != null) {
        lane.close();
      }
    }
    completions.close();
  }
}
