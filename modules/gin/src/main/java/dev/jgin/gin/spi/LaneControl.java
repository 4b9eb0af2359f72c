// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gin.spi;

/**
 * What a carrier offers to whoever rebuilds a failed lane: fence, sample, reconnect.
 *
 * <p>A lane is the pair (context, peer) seen from this rank. The order matters: both ends are
 * fenced before either is sampled, because a responder that is still up may accept one more packet
 * after the sample, and replaying that packet would count a signal twice.
 *
 * <p>One thread at a time per lane.
 */
public interface LaneControl {

  /**
   * Moves this end of the lane into the error state. On return nothing more is accepted from the
   * peer on this lane and nothing more is sent; outstanding work completes with {@link
   * LaneStatus#FLUSHED}. It does <em>not</em> promise that accepted writes are visible yet.
   */
  void fence(int context, int peer);

  /**
   * Whether everything that this end accepted from the peer before the fence is visible in this
   * rank's memory, and {@link #sample} stands still. Once true it stays true until the lane is
   * reconnected. It waits for no peer; a carrier may wait here for its own driver, some
   * milliseconds.
   *
   * @throws IllegalStateException if this end is not fenced
   */
  boolean drained(int context, int peer);

  /**
   * Reads the packet numbers of this end.
   *
   * @throws IllegalStateException if this end is not fenced
   */
  LaneSample sample(int context, int peer);

  /**
   * Prepares a fresh end of the lane and returns its address for the peer, opaque to others.
   *
   * @throws IllegalStateException if this end is not fenced
   */
  byte[] prepare(int context, int peer);

  /**
   * Connects the prepared end to the peer's. The generation goes up by one, the error word is
   * cleared, {@link Fabric#posted} and {@link Fabric#completed} restart from equal values.
   *
   * <p>Until the peer has connected its end too, what is posted here waits.
   *
   * @throws IllegalStateException if this end was not fenced and prepared, or is not drained, or
   *     {@code peerAddress} belongs to another lane or generation
   */
  void reconnect(int context, int peer, byte[] peerAddress);

  /** How often this lane was connected; 1 after start-up. */
  long generation(int context, int peer);
}
