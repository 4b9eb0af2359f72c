// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.emulated.lane;

import dev.jgin.gin.spi.LaneSample;
import dev.jgin.gin.spi.LaneStatus;

/**
 * One rank's end of a lane, both directions: its error word, its generation, and the order in which
 * recovery may act: fence, (drain, sample,) prepare, reconnect.
 *
 * <p>Changes need the carrier's lock; {@link #error} and {@link #generation} may be read by any
 * thread.
 */
public final class LaneEnd {

  private enum State {
    CONNECTED,
    FENCED,
    PREPARED
  }

  private final int rank;
  private final int context;
  private final int peer;
  private State state = State.CONNECTED;
  private volatile int error;
  private volatile long generation = 1;
  private int initialPsn;
  private int preparedPsn;
  private LaneSample frozen;

  /** The end of {@code rank} on the lane (context, peer), connected. */
  public LaneEnd(int rank, int context, int peer, int initialPsn) {
    this.rank = rank;
    this.context = context;
    this.peer = peer;
    this.initialPsn = initialPsn;
  }

  /** Whether it takes part in traffic: connected and without error. */
  public boolean isOpen() {
    return state == State.CONNECTED && error == 0;
  }

  /** Whether recovery has fenced it and not reconnected it yet. */
  public boolean isFenced() {
    return state != State.CONNECTED;
  }

  /** The error word. */
  public int error() {
    return error;
  }

  /** How often it was connected. */
  public long generation() {
    return generation;
  }

  /** The first packet number it sends in this generation. */
  public int initialPsn() {
    return initialPsn;
  }

  /** Notes a failure; the first one wins. Returns whether this was the first. */
  public boolean fail(LaneStatus status) {
    if (error != 0) {
      return false;
    }
    error = status.word();
    return true;
  }

  /** Fences it. Returns whether this call fenced it (false: it was fenced already). */
  public boolean fence() {
    if (isFenced()) {
      return false;
    }
    state = State.FENCED;
    return true;
  }

  /** Keeps the packet numbers of the fenced end for {@link #sample}. */
  public void freeze(LaneSample sample) {
    frozen = sample;
  }

  /** The packet numbers of the fenced end. */
  public LaneSample sample() {
    requireFenced("sampling");
    return frozen;
  }

  /** Throws unless fenced; {@code action} is what was asked for. */
  public void requireFenced(String action) {
    if (!isFenced()) {
      throw new IllegalStateException(name() + " is not fenced: fence it before " + action);
    }
  }

  /** Prepares the next generation, whose first packet will carry {@code psn}. */
  public LaneAddress prepare(int psn) {
    requireFenced("preparing a fresh end");
    state = State.PREPARED;
    preparedPsn = psn;
    return new LaneAddress(rank, context, peer, generation + 1, psn);
  }

  /** Checks that this end may connect to {@code encoded}, and decodes it. */
  public LaneAddress checkConnect(byte[] encoded, boolean drained) {
    requireFenced("reconnecting");
    if (state != State.PREPARED) {
      throw new IllegalStateException(name() + " is not prepared: prepare it before reconnecting");
    }
    LaneAddress address = LaneAddress.decode(encoded);
    if (address.rank() != peer || address.context() != context || address.peer() != rank) {
      throw new IllegalStateException(name() + " cannot connect to another lane: " + address);
    }
    if (address.generation() != generation + 1) {
      throw new IllegalStateException(
          name() + " needs an address of generation " + (generation + 1) + ": " + address);
    }
    if (!drained) {
      throw new IllegalStateException(
          name()
              + " is not drained: effects of generation "
              + generation
              + " would land in the next one; wait for drained()");
    }
    return address;
  }

  /** Enters the next generation. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // written under the carrier's lock alone
  public void connect() {
    generation++;
    initialPsn = preparedPsn;
    error = 0;
    state = State.CONNECTED;
  }

  private String name() {
    return "rank "
        + rank
        + ": lane (context "
        + context
        + ", peer "
        + peer
        + ") of generation "
        + generation;
  }
}
