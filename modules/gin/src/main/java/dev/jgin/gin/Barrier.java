// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gin;

import dev.jgin.gin.barrier.BarrierSteps;
import dev.jgin.gin.barrier.Protocols;

/**
 * A barrier over a team that also fences puts of <em>every</em> context, as its {@link
 * BarrierProtocol} says.
 *
 * <p>Split-phase: {@link #tryArrive} posts all signals, {@link #poll} looks for everyone else's;
 * work that touches no received row may run between the two. It is valid for an all-to-all barrier
 * of its team, where a member leads by at most one epoch; receive buffers that alternate by epoch
 * parity then need no second barrier, provided that a member reads the rows of an epoch before it
 * arrives at the next.
 *
 * <p>A barrier that timed out is poisoned: its peers may still count this member's arrival, so
 * there is no way to re-arm it. One thread at a time; the same that drives every context of the
 * communicator. Steps do not allocate.
 */
public final class Barrier {

  private final Communicator comm;
  private final String name;
  private final Team team;
  private final BarrierOptions options;
  private final BarrierSteps steps;
  private final long[] state;
  private final CommunicatorPort port;
  private String poison;

  Barrier(Communicator comm, String name, Team team, BarrierOptions options) {
    this.comm = comm;
    this.name = name;
    this.team = team;
    this.options = options;
    if (!comm.options().allowUnsound()) {
      UnsoundProtocolException.check(
          options.protocol(),
          options.fence(),
          comm.contexts(),
          comm.fabric().axioms(),
          comm.fabric().name());
    }
    int self = team.memberOf(comm.rank());
    this.steps = Protocols.steps(options, team.size(), Math.max(self, 0), comm.contexts());
    this.port = new CommunicatorPort(comm, name, team, options, steps.cells());
    this.state = new long[steps.stateLongs()];
    this.state[BarrierSteps.EPOCH] = options.initialEpoch();
    if (self < 0) {
      this.poison = "rank " + comm.rank() + " is not in its team " + team;
    }
  }

  /** The team. */
  public Team team() {
    return team;
  }

  /** The protocol. */
  public BarrierProtocol protocol() {
    return options.protocol();
  }

  /** The epoch last begun, or {@link BarrierOptions#initialEpoch()} if none was. */
  public long epoch() {
    return state[BarrierSteps.EPOCH];
  }

  /**
   * Notes how many rows were put to {@code member} in the epoch that the next arrival begins. Only
   * {@link BarrierProtocol#ORDER_FREE} sends it; the others ignore it.
   */
  public void count(int member, long rows) {
    Protocols.count(steps, state, member, rows);
  }

  /** The rows that {@code member} announced in the epoch just passed; -1 unless ORDER_FREE. */
  public long counted(int member) {
    return Protocols.counted(steps, port, epoch(), member);
  }

  /**
   * Posts this member's signals. Non-blocking; false means that a lane was full: progress and call
   * again.
   *
   * @throws IllegalStateException if the barrier is poisoned or the previous epoch was not passed
   */
  public boolean tryArrive() {
    refuseIfPoisoned();
    return steps.arrive(state, port);
  }

  /**
   * Whether all members have arrived and what the fence promises holds. Non-blocking; true exactly
   * once per epoch.
   *
   * @throws IllegalStateException if the barrier is poisoned or the arrival is not complete
   */
  public boolean poll() {
    refuseIfPoisoned();
    return steps.poll(state, port);
  }

  /** Blocking {@link #tryArrive}. */
  public void arrive() {
    long start = comm.nowNanos();
    for (int round = 0; !tryArrive(); round++) {
      expire(start, "room to arrive at");
      comm.idle(round);
    }
  }

  /** Blocking {@link #poll}. */
  public void await() {
    long start = comm.nowNanos();
    for (int round = 0; !poll(); round++) {
      expire(start, "waiting for");
      comm.idle(round);
    }
  }

  /** Arrives, then waits. */
  public void sync() {
    arrive();
    await();
  }

  private void expire(long start, String what) {
    long timeout = comm.options().timeoutNanos();
    if (comm.expired(start, timeout)) {
      String missing = what + ' ' + waitingFor();
      poison("its deadline passed " + missing);
      throw new DeadlineException(comm.rank(), missing, timeout);
    }
  }

  /** What is missing, for messages: the barrier, its epoch, the members and contexts. */
  public String waitingFor() {
    return "barrier '"
        + name
        + "' ("
        + options.protocol()
        + ") epoch "
        + epoch()
        + ":"
        + steps.missing(state, port);
  }

  /** Makes the barrier unusable for good; the first reason stays. */
  public void poison(String why) {
    if (poison == null) {
      poison = why;
    }
  }

  /** Whether the barrier is poisoned. */
  public boolean isPoisoned() {
    return poison != null;
  }

  private void refuseIfPoisoned() {
    if (poison != null) {
      throw new IllegalStateException(
          "barrier '"
              + name
              + "' is unusable since epoch "
              + epoch()
              + ": "
              + poison
              + "; make a new communicator");
    }
  }
}
