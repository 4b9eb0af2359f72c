// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gin;

import dev.jgin.gin.spi.Region;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * The receiving side of a context's signals: 64-bit cells that peers add to, each with a local
 * shadow.
 *
 * <p>A shadow is the value that the owner expects next; only the owner moves it. All comparisons
 * are wrap-safe ({@link Rolling}). Waits end with the signal, a failed lane or the deadline. One
 * thread at a time; nothing allocates.
 */
public final class SignalTable {

  static final VarHandle CELL = ValueLayout.JAVA_LONG.varHandle();

  private final Communicator comm;
  private final int context;
  private final Region region;
  private final int ids;
  private final long[] base;
  private final long[] shadow;

  SignalTable(Communicator comm, int context, Region region) {
    this.comm = comm;
    this.context = context;
    this.region = region;
    this.ids = comm.options().signals();
    this.base = new long[ids];
    this.shadow = new long[ids];
  }

  Region region() {
    return region;
  }

  long offset(int signalId) {
    if (signalId < 0 || signalId >= ids) {
      throw new IndexOutOfBoundsException(
          "signal "
              + signalId
              + ": this communicator has "
              + ids
              + " per context; ask for more in "
              + "CommunicatorOptions.signals");
    }
    return ((long) context * ids + signalId) * Long.BYTES;
  }

  /**
   * The signal's value since its last reset. Acquire: puts that the signal speaks for are visible
   * after it.
   */
  public long read(int signalId) {
    return (long) CELL.getAcquire(region.local(), offset(signalId)) - base[signalId];
  }

  /** Whether the signal has reached {@code least}, wrap-safe. Non-blocking. */
  public boolean reached(int signalId, long least) {
    return Rolling.reached(read(signalId), least);
  }

  /** Waits until the signal reaches {@code least}, with the communicator's deadline. */
  public void await(int signalId, long least) {
    await(signalId, least, comm.options().timeoutNanos());
  }

  /**
   * Waits until the signal reaches {@code least}.
   *
   * @throws DeadlineException after {@code timeoutNanos} on the carrier's clock
   * @throws LaneFailedException if a lane of this rank fails meanwhile
   */
  public void await(int signalId, long least, long timeoutNanos) {
    long start = comm.nowNanos();
    for (int round = 0; !reached(signalId, least); round++) {
      if (comm.expired(start, timeoutNanos)) {
        throw new DeadlineException(
            comm.rank(),
            "signal "
                + signalId
                + " of context "
                + context
                + " stands at "
                + read(signalId)
                + ", waiting for "
                + least,
            timeoutNanos);
      }
      comm.idle(round);
    }
  }

  /** The value expected next. */
  public long shadow(int signalId) {
    offset(signalId);
    return shadow[signalId];
  }

  /** Moves the shadow by {@code delta}: that much more is expected. */
  public void increaseShadow(int signalId, long delta) {
    offset(signalId);
    shadow[signalId] += delta;
  }

  /** Waits until the signal meets its shadow. */
  public void awaitShadow(int signalId, long timeoutNanos) {
    await(signalId, shadow(signalId), timeoutNanos);
  }

  /**
   * Waits until the signal is {@code leastDelta} past its shadow, then moves the shadow to the
   * value seen and returns by how much it moved.
   */
  public long awaitAndFollow(int signalId, long leastDelta, long timeoutNanos) {
    long before = shadow(signalId);
    await(signalId, before + leastDelta, timeoutNanos);
    long seen = read(signalId);
    shadow[signalId] = seen;
    return seen - before;
  }

  /**
   * Makes the signal and its shadow 0 again.
   *
   * <p>It moves this rank's base instead of storing 0 into the cell: a plain store would race with
   * an incoming add and could lose it or count it twice. An add that lands during the reset counts
   * for after it.
   */
  public void reset(int signalId) {
    base[signalId] += read(signalId);
    shadow[signalId] = 0;
  }
}
