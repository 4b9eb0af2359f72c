// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gin.spi;

/**
 * The error word of a lane, decoded. The first failure wins and stays until the lane is
 * reconnected; later failures are consequences (work requests flushed behind the first).
 */
public enum LaneStatus {
  /** The lane works. */
  OK("no error"),
  /** The peer did not acknowledge within the transport's retries ({@code IBV_WC_RETRY_EXC_ERR}). */
  RETRY_EXCEEDED("transport retries exceeded: the peer or the path to it does not answer"),
  /** The target refused the access: key, bounds or permission ({@code IBV_WC_REM_ACCESS_ERR}). */
  REMOTE_ACCESS("the target refused the access"),
  /** A local key or bound was wrong ({@code IBV_WC_LOC_PROT_ERR}). */
  LOCAL_ACCESS("a local key or bound was wrong"),
  /** Work was flushed because the queue pair is in the error state ({@code IBV_WC_WR_FLUSH_ERR}). */
  FLUSHED("work was flushed: the queue pair is in the error state"),
  /** {@link LaneControl#fence} moved the lane into the error state on purpose. */
  FENCED("the lane was fenced for recovery"),
  /** The carrier broke its own contract, for example completed what was never posted. */
  CARRIER_CONTRACT("the carrier broke its contract");

  private static final LaneStatus[] VALUES = values();

  private final String meaning;

  LaneStatus(String meaning) {
    this.meaning = meaning;
  }

  /** The value of the error word; 0 is {@link #OK}. */
  public int word() {
    return ordinal();
  }

  /** Decodes an error word. */
  public static LaneStatus ofWord(int word) {
    if (word < 0 || word >= VALUES.length) {
      throw new IllegalArgumentException(
          "error word " + word + " is not one of 0.." + (VALUES.length - 1));
    }
    return VALUES[word];
  }

  /** What it means, for messages. */
  public String meaning() {
    return meaning;
  }
}
