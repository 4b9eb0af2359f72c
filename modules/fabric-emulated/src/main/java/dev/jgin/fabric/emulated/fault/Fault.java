// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.emulated.fault;

import dev.jgin.gin.spi.LaneStatus;

/** Something that goes wrong at one rank. */
public sealed interface Fault {

  /** The rank at which it goes wrong. */
  int rank();

  /** A fault of one lane of {@link #rank()}, set off by an operation of the lane. */
  sealed interface OfLane extends Fault {

    /** The lane's context. */
    int context();

    /** The lane's peer. */
    int peer();

    /** The ticket that sets it off, in whatever generation comes to it first. */
    long ticket();
  }

  /** Rings of the lane are withheld for {@code nanos} once {@code ticket} is rung. */
  record DelayLane(int rank, int context, int peer, long ticket, long nanos) implements OfLane {
    /** Checks the duration. */
    public DelayLane {
      requirePositive(nanos);
    }
  }

  /** The lane is in error as soon as {@code ticket} is posted, before it is sent. */
  record FailLane(int rank, int context, int peer, long ticket, LaneStatus status)
      implements OfLane {
    /** Checks the status. */
    public FailLane {
      if (status == LaneStatus.OK) {
        throw new IllegalArgumentException("a lane cannot fail with status OK");
      }
    }
  }

  /** The completion of {@code ticket} is never counted. */
  record LoseCompletion(int rank, int context, int peer, long ticket) implements OfLane {}

  /**
   * The completion of {@code ticket} is counted twice, so that the carrier claims more completions
   * than postings once the lane is idle: whoever polls reports {@link LaneStatus#CARRIER_CONTRACT}.
   */
  record DuplicateCompletion(int rank, int context, int peer, long ticket) implements OfLane {}

  /** The rank neither rings nor reaps for {@code nanos} from its posting number {@code posting}. */
  record PauseRank(int rank, long posting, long nanos) implements Fault {
    /** Checks the duration. */
    public PauseRank {
      requirePositive(nanos);
    }
  }

  private static void requirePositive(long nanos) {
    if (nanos <= 0) {
      throw new IllegalArgumentException(nanos + " ns: a duration must be positive");
    }
  }
}
