// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe;

import dev.jgin.gin.Barrier;
import dev.jgin.gin.Communicator;
import dev.jgin.gin.DeadlineException;
import dev.jgin.gin.spi.RankTask.Step;
import dev.jgin.moe.check.Check;

/**
 * What dispatch and combine have in common: post rows, arrive, wait, receive, drain; each a
 * non-blocking step, each wait with a deadline. Allocates only to throw.
 */
abstract class Operation {
  /** Rows per step where a scheduler interleaves ranks: few, so that it can. */
  private static final int ROWS_INTERLEAVED = 16;

  /** Bytes per step where ranks run on threads: a step's rows stay cached until they are rung. */
  private static final long BYTES_FREE_RUNNING = 256L << 10;

  /** Most rows per step where ranks run on threads. */
  private static final int ROWS_FREE_RUNNING = 1024;

  final Geometry g;
  final Poster poster;
  final Barrier barrier;
  final int rowsPerStep;
  long epoch;

  private final Communicator comm;
  private final String name;
  private final boolean checkDeadline;
  private final boolean checkLanes;
  private Phase phase = Phase.IDLE;
  private boolean waiting;
  private long waitingSince;

  Operation(Communicator comm, Geometry g, Barrier barrier, String name) {
    this.comm = comm;
    this.g = g;
    this.barrier = barrier;
    this.name = name;
    this.poster = new Poster(comm);
    this.rowsPerStep =
        comm.fabric().scheduler().isPresent() ? ROWS_INTERLEAVED : freeRunningRows(g.rowStride);
    this.checkDeadline = g.config.checks().contains(Check.DEADLINE);
    this.checkLanes = g.config.checks().contains(Check.LANE_ERROR);
  }

  private static int freeRunningRows(long rowBytes) {
    return Math.clamp(BYTES_FREE_RUNNING / rowBytes, ROWS_INTERLEAVED, ROWS_FREE_RUNNING);
  }

  Phase phase() {
    return phase;
  }

  boolean underWay() {
    return phase != Phase.IDLE && phase != Phase.DONE;
  }

  final void start() {
    epoch = barrier.epoch() + 1;
    poster.begin();
    waiting = false;
    phase = Phase.POSTING;
  }

  final Step step() {
    if (waiting) {
      comm.progress();
    }
    if (advance()) {
      waiting = false;
      return phase == Phase.DONE ? Step.DONE : Step.PROGRESS;
    }
    if (!waiting) {
      waiting = true;
      waitingSince = comm.nowNanos();
    }
    if (checkLanes) {
      comm.checkLanes();
    }
    if (checkDeadline && comm.nowNanos() - waitingSince >= g.config.timeoutNanos()) {
      expire();
    }
    return Step.WAITING;
  }

  private void expire() {
    String missing = name + ", " + phase + ": " + waitingFor();
    barrier.poison("its deadline passed: " + missing);
    throw new DeadlineException(g.rank, missing, g.config.timeoutNanos());
  }

  private String waitingFor() {
    return switch (phase) {
      case POSTING -> "room on a lane for a row";
      case DRAINING -> poster.outstanding();
      default -> barrier.waitingFor();
    };
  }

  private boolean advance() {
    return switch (phase) {
      case POSTING -> post();
      case ARRIVING -> arrive();
      case WAITING -> await();
      case RECEIVING -> receiveSome();
      case DRAINING -> drain();
      case IDLE, DONE -> throw new IllegalStateException(name + " has not begun");
    };
  }

  private boolean post() {
    int before = posted();
    boolean all = postSome();
    poster.ring();
    if (all) {
      announce();
      phase = Phase.ARRIVING;
    }
    return all || posted() != before;
  }

  private boolean arrive() {
    if (!barrier.tryArrive()) {
      return false;
    }
    phase = Phase.WAITING;
    return true;
  }

  private boolean await() {
    if (!barrier.poll()) {
      return false;
    }
    beginReceive();
    phase = Phase.RECEIVING;
    return true;
  }

  private boolean receiveSome() {
    if (receive()) {
      phase = Phase.DRAINING;
    }
    return true;
  }

  private boolean drain() {
    if (!poster.complete()) {
      return false;
    }
    // A failed lane counts as complete what it flushed, and that may never have left.
    if (checkLanes) {
      comm.checkLanes();
    }
    finish();
    phase = Phase.DONE;
    return true;
  }

  /** How much has been posted, in any unit that grows with each put. */
  abstract int posted();

  /** Posts up to a step's rows; true when all are posted. */
  abstract boolean postSome();

  /** Tells the barrier what was posted to whom. */
  abstract void announce();

  /** The barrier has been passed. Reads nothing that was received. */
  abstract void beginReceive();

  /** Receives up to a step's rows; true when all are. */
  abstract boolean receive();

  /** Everything is received and the sources of all puts may be overwritten. */
  abstract void finish();
}
