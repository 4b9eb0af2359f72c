// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gin;

import dev.jgin.gin.spi.Fabric;
import dev.jgin.gin.spi.LaneStatus;
import dev.jgin.gin.spi.Region;
import dev.jgin.gin.spi.RegionKind;
import dev.jgin.gin.spi.RegionMemory;

/**
 * One rank's view of a group of ranks on a carrier: its contexts, windows, barriers.
 *
 * <p>Making a communicator, window, barrier or fan-in signal is collective: every rank makes the
 * same ones in the same order. Afterwards each {@link Context} belongs to one thread at a time; a
 * barrier belongs to the thread that owns every context it signals on.
 *
 * <p>Closing it closes the carrier and with it all windows. Not collective.
 */
public final class Communicator implements AutoCloseable {

  private final Fabric fabric;
  private final CommunicatorOptions options;
  private final Team world;
  private final Context[] contexts;

  private Communicator(Fabric fabric, CommunicatorOptions options) {
    this.fabric = fabric;
    this.options = options;
    this.world = Team.world(fabric.ranks());
    this.contexts = new Context[fabric.contexts()];
    long cells = Math.max(1L, (long) fabric.contexts() * options.signals());
    Region signals = fabric.register("signals", cells * Long.BYTES, RegionKind.SIGNAL);
    for (int c = 0; c < contexts.length; c++) {
      contexts[c] = new Context(this, c, signals);
    }
  }

  /** Makes a communicator over an open carrier, which it then owns. Collective. */
  public static Communicator create(Fabric fabric, CommunicatorOptions options) {
    return new Communicator(fabric, options);
  }

  /** This rank. */
  public int rank() {
    return fabric.rank();
  }

  /** Number of ranks. */
  public int size() {
    return fabric.ranks();
  }

  /** Number of contexts. */
  public int contexts() {
    return contexts.length;
  }

  /** Context {@code index}, 0 ≤ index &lt; {@link #contexts()}. */
  public Context context(int index) {
    return contexts[index];
  }

  /** The carrier. */
  public Fabric fabric() {
    return fabric;
  }

  /** The options it was made with. */
  public CommunicatorOptions options() {
    return options;
  }

  /** The team of all ranks. */
  public Team world() {
    return world;
  }

  /** Registers a zero-filled window of {@code bytes} at every rank. Collective. */
  public Window registerWindow(String name, long bytes) {
    return new Window(fabric.register(name, bytes, RegionKind.DATA));
  }

  /**
   * Registers a window over memory that the caller owns, for example of a GPU; see {@link
   * Fabric#register(String, RegionMemory, RegionKind)}. Collective.
   */
  public Window registerWindow(String name, RegionMemory memory) {
    return new Window(fabric.register(name, memory, RegionKind.DATA));
  }

  /**
   * Makes a barrier. Collective over <em>all</em> ranks, including those outside {@code team},
   * whose barrier then refuses to arrive.
   *
   * @throws UnsoundProtocolException if the carrier does not promise what the protocol needs and
   *     {@link CommunicatorOptions#allowUnsound()} is false
   */
  public Barrier barrier(String name, Team team, BarrierOptions barrierOptions) {
    return new Barrier(this, name, team, barrierOptions);
  }

  /**
   * Makes a fan-in signal. Collective.
   *
   * @throws UnsoundProtocolException if the carrier does not promise A4 and A6 and {@link
   *     CommunicatorOptions#allowUnsound()} is false
   */
  public FanInSignal fanInSignal(String name) {
    return new FanInSignal(this, name);
  }

  /** Reaps completions of every context and lets the carrier move. Non-blocking. */
  public void progress() {
    for (Context context : contexts) {
      context.poll();
    }
    fabric.progress();
  }

  /**
   * Looks at the error words.
   *
   * @throws LaneFailedException if a lane of this rank is in the error state
   */
  public void checkLanes() {
    if (fabric.failures() != 0) {
      throwFirstFailure();
    }
  }

  private void throwFirstFailure() {
    for (int c = 0; c < contexts.length; c++) {
      for (int p = 0; p < size(); p++) {
        checkLane(c, p);
      }
    }
  }

  /** Looks at the error word of one lane. */
  void checkLane(int context, int peer) {
    if (fabric.failures() == 0) {
      return;
    }
    int word = fabric.error(context, peer);
    if (word != LaneStatus.OK.word()) {
      throw new LaneFailedException(
          rank(), context, peer, LaneStatus.ofWord(word), fabric.errorDetail(context, peer));
    }
  }

  /** The carrier's clock, in nanoseconds: virtual where time is virtual. */
  public long nowNanos() {
    return fabric.clock().getAsLong();
  }

  /** One round of a wait that found nothing: move, look at the error words, idle. */
  void idle(int round) {
    progress();
    checkLanes();
    options.waiting().idle(round);
  }

  /** Whether {@code timeoutNanos} have passed since {@code startNanos}. */
  boolean expired(long startNanos, long timeoutNanos) {
    return nowNanos() - startNanos >= timeoutNanos;
  }

  @Override
  public void close() {
    fabric.close();
  }
}
