// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gin;

import dev.jgin.gin.spi.LaneStatus;

/** A lane of this rank is in the error state. */
public final class LaneFailedException extends GinException {
  private static final long serialVersionUID = 1L;

  private final int rank;
  private final int context;
  private final int peer;
  private final LaneStatus status;

  /** Makes an exception for the lane (context, peer) of {@code rank}. */
  public LaneFailedException(int rank, int context, int peer, LaneStatus status) {
    this(rank, context, peer, status, "");
  }

  /**
   * Makes an exception for the lane (context, peer) of {@code rank}; {@code detail} is what the
   * carrier says ({@link dev.jgin.gin.spi.Fabric#errorDetail}), empty if nothing.
   */
  public LaneFailedException(int rank, int context, int peer, LaneStatus status, String detail) {
    super(
        "rank "
            + rank
            + ": lane (context "
            + context
            + ", peer "
            + peer
            + ") failed: "
            + status
            + ", "
            + status.meaning()
            + (detail.isEmpty() ? "" : " (" + detail + ")"));
    this.rank = rank;
    this.context = context;
    this.peer = peer;
    this.status = status;
  }

  /** The rank that reports. */
  public int rank() {
    return rank;
  }

  /** The lane's context. */
  public int context() {
    return context;
  }

  /** The lane's peer. */
  public int peer() {
    return peer;
  }

  /** The first failure of the lane. */
  public LaneStatus status() {
    return status;
  }
}
