// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.perf.loop;

import dev.jgin.gin.Communicator;

/**
 * A signal there and a signal back: an add of 1 to the peer's signal cell, waited for with {@code
 * SignalTable.await}. Rank 0 begins; rounds take the contexts in turn.
 */
public final class SignalPingPong implements Loop {
  private static final int SIGNAL = 0;

  private final Communicator comm;
  private final int peer;
  private final long[] expected;
  private int turn;

  /** The side of rank 0 or 1. */
  public SignalPingPong(Communicator comm) {
    this.comm = comm;
    this.peer = 1 - comm.rank();
    this.expected = new long[comm.contexts()];
  }

  @Override
  public void rounds(Extent extent, Stamps posted, Stamps completed) {
    boolean leads = comm.rank() == 0;
    long i = 0;
    do {
      int context = turn;
      turn = turn + 1 == expected.length ? 0 : turn + 1;
      if (leads) {
        long now = System.nanoTime();
        extent.lead(i, now);
        posted.add(now);
        send(context);
        await(context);
      } else {
        await(context);
        send(context);
      }
      i++;
    } while (extent.more(i));
  }

  private void send(int context) {
    comm.context(context).signalInc(peer, SIGNAL);
  }

  private void await(int context) {
    comm.context(context).signals().await(SIGNAL, ++expected[context]);
  }

  @Override
  public void finish(Findings findings) {
    for (int c = 0; c < expected.length; c++) {
      findings.counter(
          "rank " + comm.rank() + ": the signal of context " + c,
          expected[c],
          comm.context(c).signals().read(SIGNAL));
    }
  }
}
