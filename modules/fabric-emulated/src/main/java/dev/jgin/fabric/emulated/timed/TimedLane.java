// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.emulated.timed;

import dev.jgin.fabric.emulated.lane.LaneEnd;
import dev.jgin.fabric.emulated.lane.LaneModel;

/**
 * One direction of a lane with its place in time. The fields are the {@link Timeline}'s, under its
 * monitor; the identity is fixed.
 */
final class TimedLane {

  final int source;
  final int context;
  final int target;
  final long id;
  final LaneModel model;
  final LaneDelays delays;
  final Timeline timeline;

  /** The end of {@link #source}. */
  final LaneEnd end;

  boolean transmitScheduled;
  long lastTransmit;
  long lastComplete;
  long lastWrite;
  long lastSignal;

  TimedLane(
      int source,
      int context,
      int target,
      long id,
      LaneModel model,
      LaneDelays delays,
      Timeline timeline,
      LaneEnd end) {
    this.source = source;
    this.context = context;
    this.target = target;
    this.id = id;
    this.model = model;
    this.delays = delays;
    this.timeline = timeline;
    this.end = end;
  }
}
