// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.moe;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Holds the ranks of this process together between the operations that are timed, as the barrier of
 * nccl-tests does: otherwise a rank's time would hold the oracle's work for another rank. Open at
 * all times where time is virtual, so that ranks may run ahead as far as the protocol lets them.
 *
 * <p>Who waits here needs no deadline: the ranks it waits for are of this process and either
 * compute or wait for their carrier, with one, and the first to fail ends the run for all.
 *
 * <p>Any thread may call it.
 */
final class Gate {
  private final int ranks;
  private final boolean closed;
  private final AtomicLong arrived = new AtomicLong();

  Gate(int ranks, boolean closed) {
    this.ranks = ranks;
    this.closed = closed;
  }

  /** Notes a rank; each rank arrives once in a round. */
  void arrive() {
    arrived.incrementAndGet();
  }

  /** Whether every rank has arrived in round {@code round}, counted from 1. */
  boolean open(long round) {
    return !closed || arrived.get() >= round * ranks;
  }
}
