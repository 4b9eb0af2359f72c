// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gin;

import dev.jgin.gin.spi.Fabric;
import dev.jgin.gin.spi.Region;
import dev.jgin.gin.spi.RegionKind;

/**
 * A one-sided signal that speaks for <em>all</em> contexts: "all my earlier puts to you, on every
 * context, are there".
 *
 * <p>No single operation can say that, because nothing orders queue pairs (NCCL #2302). So one
 * signal goes out on each context, into a cell of its own per (source, context), and the receiver
 * counts the signal as arrived when every context has delivered it. The lead of a sender is
 * unbounded, which is why this always uses all contexts and monotone cells: absolute words would be
 * overwritten.
 *
 * <p>Needs A4 and A6. One thread at a time; nothing allocates.
 */
public final class FanInSignal {

  private final Communicator comm;
  private final String name;
  private final Region cells;
  private final int contexts;
  private final int[] next;

  FanInSignal(Communicator comm, String name) {
    this.comm = comm;
    this.name = name;
    this.contexts = comm.contexts();
    if (!comm.options().allowUnsound()) {
      UnsoundProtocolException.check(
          BarrierProtocol.FAN_IN_ALL_CONTEXTS,
          FenceLevel.PUT,
          contexts,
          comm.fabric().axioms(),
          comm.fabric().name());
    }
    this.cells =
        comm.fabric()
            .register(
                "fan-in signal " + name,
                (long) comm.size() * contexts * Long.BYTES,
                RegionKind.SIGNAL);
    this.next = new int[comm.size()];
  }

  private long offset(int source, int context) {
    return ((long) source * contexts + context) * Long.BYTES;
  }

  /**
   * Signals {@code peer} behind all puts posted to it so far. False means that a lane was full:
   * call again with the same peer, and post no puts to it before the answer is true.
   */
  public boolean trySignal(int peer) {
    Fabric fabric = comm.fabric();
    for (int context = next[peer]; context < contexts; context++) {
      if (fabric.atomicAdd(context, peer, cells, offset(comm.rank(), context), 1L) == Fabric.FULL) {
        next[peer] = context;
        return false;
      }
      fabric.ring(context, peer);
    }
    next[peer] = 0;
    return true;
  }

  /** Blocking {@link #trySignal}. */
  public void signal(int peer) {
    long start = comm.nowNanos();
    long timeout = comm.options().timeoutNanos();
    for (int round = 0; !trySignal(peer); round++) {
      if (comm.expired(start, timeout)) {
        throw new DeadlineException(
            comm.rank(),
            "room to send fan-in signal '"
                + name
                + "' to peer "
                + peer
                + " on context "
                + next[peer],
            timeout);
      }
      comm.idle(round);
    }
  }

  /**
   * How many signals of {@code source} have arrived on every context. Acquire: the puts they speak
   * for are visible after it.
   */
  public long arrived(int source) {
    long least = (long) SignalTable.CELL.getAcquire(cells.local(), offset(source, 0));
    for (int context = 1; context < contexts; context++) {
      long value = (long) SignalTable.CELL.getAcquire(cells.local(), offset(source, context));
      if (Rolling.reached(least, value)) {
        least = value;
      }
    }
    return least;
  }

  /**
   * Waits until {@code count} signals of {@code source} have arrived.
   *
   * @throws DeadlineException after {@code timeoutNanos} on the carrier's clock, naming the
   *     contexts that lag
   */
  public void await(int source, long count, long timeoutNanos) {
    long start = comm.nowNanos();
    for (int round = 0; !Rolling.reached(arrived(source), count); round++) {
      if (comm.expired(start, timeoutNanos)) {
        throw new DeadlineException(
            comm.rank(),
            "fan-in signal '" + name + "' " + count + lagging(source, count),
            timeoutNanos);
      }
      comm.idle(round);
    }
  }

  private String lagging(int source, long count) {
    StringBuilder out = new StringBuilder(" of peer ").append(source).append(": contexts");
    for (int context = 0; context < contexts; context++) {
      long value = (long) SignalTable.CELL.getAcquire(cells.local(), offset(source, context));
      if (!Rolling.reached(value, count)) {
        out.append(' ').append(context).append(" at ").append(value).append(',');
      }
    }
    return out.toString();
  }
}
