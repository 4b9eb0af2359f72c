// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gin;

/**
 * Local completion counters of a context: a counted put raises its counter by one when its source
 * is reusable. A counter says nothing about the peer's memory.
 *
 * <p>One thread at a time. Memory for a peer is allocated at its first counted put, then no more.
 */
public final class CounterTable {

  private final Communicator comm;
  private final int context;
  private final long[] values;
  private final int[][] idOfTicket;
  private final long[] reaped;
  private boolean used;

  CounterTable(Communicator comm, int context) {
    this.comm = comm;
    this.context = context;
    this.values = new long[comm.options().counters()];
    this.idOfTicket = new int[comm.size()][];
    this.reaped = new long[comm.size()];
  }

  void check(int counterId) {
    if (counterId < 0 || counterId >= values.length) {
      throw new IndexOutOfBoundsException(
          "counter "
              + counterId
              + ": this communicator has "
              + values.length
              + " per context; ask for more in CommunicatorOptions.counters");
    }
  }

  void track(int peer, long ticket, int counterId) {
    if (idOfTicket[peer] == null) {
      idOfTicket[peer] = new int[comm.fabric().laneDepth()];
      reaped[peer] = ticket;
      used = true;
    }
    idOfTicket[peer][slot(ticket)] = counterId + 1;
  }

  void reap() {
    if (!used) {
      return;
    }
    for (int peer = 0; peer < reaped.length; peer++) {
      int[] ids = idOfTicket[peer];
      if (ids == null) {
        continue;
      }
      long completed = comm.fabric().completed(context, peer);
      for (long ticket = reaped[peer]; ticket < completed; ticket++) {
        int id = ids[slot(ticket)];
        if (id != 0) {
          values[id - 1]++;
          ids[slot(ticket)] = 0;
        }
      }
      reaped[peer] = completed;
    }
  }

  private int slot(long ticket) {
    return (int) (ticket % comm.fabric().laneDepth());
  }

  /** The counter's value since its last reset. */
  public long read(int counterId) {
    check(counterId);
    return values[counterId];
  }

  /**
   * Waits until the counter reaches {@code least}.
   *
   * @throws DeadlineException after {@code timeoutNanos} on the carrier's clock
   * @throws LaneFailedException if a lane of this rank has failed: what it flushed is counted too
   */
  public void await(int counterId, long least, long timeoutNanos) {
    long start = comm.nowNanos();
    for (int round = 0; !Rolling.reached(read(counterId), least); round++) {
      if (comm.expired(start, timeoutNanos)) {
        throw new DeadlineException(
            comm.rank(),
            "counter "
                + counterId
                + " of context "
                + context
                + " stands at "
                + read(counterId)
                + ", waiting for "
                + least,
            timeoutNanos);
      }
      comm.idle(round);
    }
    comm.checkLanes();
  }

  /** Makes the counter 0; puts still outstanding count for after it. */
  public void reset(int counterId) {
    check(counterId);
    values[counterId] = 0;
  }
}
