// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.perf.loop;

import dev.jgin.gin.Barrier;
import dev.jgin.gin.BarrierOptions;
import dev.jgin.gin.BarrierProtocol;
import dev.jgin.gin.Communicator;
import dev.jgin.gin.FenceLevel;
import dev.jgin.gin.Window;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.Optional;

/**
 * One barrier after another, with fence for puts. If asked for, each rank first puts a word to
 * every peer on every context, and the time includes it; the rounds of {@link #check} always do,
 * and compare what a barrier has made visible.
 *
 * <p>The words alternate between two places by the parity of the epoch, as receive buffers do.
 */
public final class BarrierRounds implements Loop {
  private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();

  private final Communicator comm;
  private final boolean puts;
  private final Window window;
  private final Barrier barrier;

  /**
   * Collective.
   *
   * @param puts whether timed rounds put words too
   */
  public BarrierRounds(Communicator comm, BarrierProtocol protocol, boolean puts) {
    this.comm = comm;
    this.puts = puts;
    this.window =
        comm.registerWindow("perf " + protocol, windowBytes(comm.size(), comm.contexts()));
    BarrierOptions options =
        new BarrierOptions(protocol, FenceLevel.PUT, 0, Optional.of(this::fresh));
    this.barrier = comm.barrier("perf " + protocol, comm.world(), options);
  }

  /** Bytes of the window at each rank. */
  public static long windowBytes(int ranks, int contexts) {
    return 2L * ranks * contexts * Long.BYTES;
  }

  private boolean fresh(int member, long rows, long epoch) {
    for (int c = 0; c < rows; c++) {
      if ((long) WORD.getAcquire(window.local(), offset(epoch, member, c)) != word(epoch, member)) {
        return false;
      }
    }
    return true;
  }

  private long offset(long epoch, int source, int context) {
    return (((epoch & 1) * comm.size() + source) * comm.contexts() + context) * Long.BYTES;
  }

  private static long word(long epoch, int source) {
    return epoch << 16 | source;
  }

  private void announce(long rows) {
    for (int peer = 0; peer < comm.size(); peer++) {
      if (peer != comm.rank()) {
        barrier.count(peer, rows);
      }
    }
  }

  private void put() {
    long epoch = barrier.epoch() + 1;
    int self = comm.rank();
    for (int peer = 0; peer < comm.size(); peer++) {
      if (peer != self) {
        for (int c = 0; c < comm.contexts(); c++) {
          comm.context(c)
              .putValue(peer, window, offset(epoch, self, c), word(epoch, self), Long.BYTES);
        }
      }
    }
  }

  @Override
  public void check(int rounds, Findings findings) {
    announce(comm.contexts());
    for (int i = 0; i < rounds; i++) {
      put();
      barrier.sync();
      compare(findings);
    }
  }

  private void compare(Findings findings) {
    long epoch = barrier.epoch();
    for (int peer = 0; peer < comm.size(); peer++) {
      if (peer != comm.rank()) {
        for (int c = 0; c < comm.contexts(); c++) {
          long seen = (long) WORD.getAcquire(window.local(), offset(epoch, peer, c));
          findings.counter(
              "rank "
                  + comm.rank()
                  + " behind barrier "
                  + epoch
                  + " ("
                  + barrier.protocol()
                  + "): the word of rank "
                  + peer
                  + " on context "
                  + c,
              word(epoch, peer),
              seen);
        }
      }
    }
  }

  @Override
  public void rounds(Extent extent, Stamps posted, Stamps completed) {
    announce(puts ? comm.contexts() : 0);
    boolean leads = comm.rank() == 0;
    long i = 0;
    do {
      long now = System.nanoTime();
      if (leads) {
        extent.lead(i, now);
      }
      posted.add(now);
      if (puts) {
        put();
      }
      barrier.sync();
      i++;
    } while (extent.more(i));
  }

  @Override
  public void finish(Findings findings) {
    check(1, findings);
  }
}
