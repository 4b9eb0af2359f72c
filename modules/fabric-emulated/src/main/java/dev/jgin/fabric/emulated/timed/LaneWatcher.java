// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.emulated.timed;

/** Is told what a timeline did. Called under the timeline's monitor. */
interface LaneWatcher {

  /** Something changed that {@code rank} may wait for. */
  void moved(int rank);

  /** Completions of {@code lane}'s source are there to be reaped. */
  void completed(TimedLane lane);

  /** The source's end of {@code lane} failed for the first time. */
  void failed(TimedLane lane);

  /** Whether the target's end of {@code lane} has failed and answers no more. */
  boolean targetFailed(TimedLane lane);
}
