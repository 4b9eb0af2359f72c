// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.check;

/**
 * The always-on checks. All are on unless a test switches one off to prove that the test which
 * guards it would notice.
 */
public enum Check {
  /** The epoch in the header of a received row is the epoch of the barrier just passed. */
  EPOCH_TAG,
  /**
   * A received row stands where its header says: source rank, stream, top-k, and the token below
   * the number of tokens that the source announced.
   */
  SOURCE,
  /** Tokens of one source arrive strictly ascending: no token twice. */
  TOKEN_ORDER,
  /** Every expert id in a row is masked or below the number of experts. */
  EXPERT_IDS,
  /** The cursor of (source, expert) is below its bound before each store. */
  CURSOR_BOUND,
  /** Every cursor of (source, expert) has reached its bound at the end. */
  COUNTS_EQUAL,
  /** A count block is of this epoch and its source, and its counts match their hash. */
  COUNT_BLOCK,
  /** Audit mode: the checksum of a row matches its bytes. Catches torn rows. */
  CHECKSUM,
  /** A wait ends at its deadline. */
  DEADLINE,
  /** A wait ends when a lane of this rank has failed. */
  LANE_ERROR
}
