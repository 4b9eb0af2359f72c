// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gin.spi;

/**
 * The error word of a lane, decoded. The first failure wins and stays until the lane is
 * reconnected; later failures are consequences (work requests flushed behind the first).
 */
public enum LaneStatus {
  /** The lane works. */
  OK(0, "no error"),
  /** The peer did not acknowledge within the transport's retries ({@code IBV_WC_RETRY_EXC_ERR}). */
  RETRY_EXCEEDED(1, "transport retries exceeded: the peer or the path to it does not answer"),
  /** The target refused the access: key, bounds or permission ({@code IBV_WC_REM_ACCESS_ERR}). */
  REMOTE_ACCESS(2, "the target refused the access"),
  /** A local key or bound was wrong ({@code IBV_WC_LOC_PROT_ERR}). */
  LOCAL_ACCESS(3, "a local key or bound was wrong"),
  /**
   * Work was flushed because the queue pair is in the error state ({@code IBV_WC_WR_FLUSH_ERR}).
   */
  FLUSHED(4, "work was flushed: the queue pair is in the error state"),
  /** {@link LaneControl#fence} moved the lane into the error state on purpose. */
  FENCED(5, "the lane was fenced for recovery"),
  /** The carrier broke its own contract, for example completed what was never posted. */
  CARRIER_CONTRACT(6, "the carrier broke its contract"),
  /** The device, its port or the queue pair of this end failed ({@code IBV_EVENT_DEVICE_FATAL}). */
  LOCAL_DEVICE(7, "the device or queue pair of this end failed");

  private final int word;
  private final String meaning;

  LaneStatus(int word, String meaning) {
    this.word = word;
    this.meaning = meaning;
  }

  /** The value of the error word; 0 is {@link #OK}. */
  public int word() {
    return word;
  }

  /** Decodes an error word. */
  public static LaneStatus ofWord(int word) {
    for (LaneStatus status : values()) {
      if (status.word == word) {
        return status;
      }
    }
    throw new IllegalArgumentException("error word " + word + " is not a lane status");
  }

  /** What it means, for messages. */
  public String meaning() {
    return meaning;
  }
}
