// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.perf.loop;

import dev.jgin.gin.Communicator;
import dev.jgin.gin.Context;

/**
 * Rank 0 posts an atomic add to a cell of rank 1 and waits for its completion, one at a time
 * (perftest's {@code ib_atomic_lat}). Rank 1 takes no part until it compares. Rounds take the
 * contexts in turn.
 *
 * <p>The model drops the value that was there before; it comes back over the wire all the same.
 */
public final class AtomicStream implements Loop {
  private static final int SIGNAL = 0;
  private static final int TARGET = 1;

  private final Communicator comm;
  private final long[] sent;
  private int turn;

  /** The side of rank 0 or 1; {@code sent} is shared by both and counts by context. */
  public AtomicStream(Communicator comm, long[] sent) {
    this.comm = comm;
    this.sent = sent;
  }

  @Override
  public void rounds(Extent extent, Stamps posted, Stamps completed) {
    if (comm.rank() == TARGET) {
      return;
    }
    long i = 0;
    do {
      long now = System.nanoTime();
      extent.lead(i, now);
      posted.add(now);
      Context context = comm.context(turn);
      context.signalInc(TARGET, SIGNAL);
      sent[turn]++;
      turn = turn + 1 == sent.length ? 0 : turn + 1;
      context.flush();
      i++;
    } while (extent.more(i));
  }

  @Override
  public void finish(Findings findings) {
    if (comm.rank() != TARGET) {
      return;
    }
    for (int c = 0; c < sent.length; c++) {
      // A completion does not mean that the target sees the add (A3), so it is waited for.
      comm.context(c).signals().await(SIGNAL, sent[c]);
      findings.counter("the cell of context " + c, sent[c], comm.context(c).signals().read(SIGNAL));
    }
  }
}
