// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.gpu;

import dev.jgin.gin.DeadlineException;
import dev.jgin.gin.spi.RankTask.Step;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * The order of one stream's kernels: send; when every rank has sent, wait and receive. Steps never
 * block and allocate nothing.
 *
 * <p>Gated, the receiving kernel goes into the queue when the send kernels of all ranks are in
 * theirs, and behind their events. So it finds everything there, and a GPU with several ranks, or
 * with several batches in flight, cannot fill up with kernels that wait for one that finds no room.
 * Ungated it goes in at once and waits on the GPU: for one rank a GPU and one batch in flight.
 *
 * <p>One thread at a time.
 */
final class StreamSequence {
  private enum State {
    IDLE,
    SENT,
    RECEIVING,
    REPLAYING
  }

  /** Waits of the kernels of an operation, each with the deadline; and one for the host. */
  private static final int KERNEL_WAITS = 4;

  private final int rank;
  private final int stream;
  private final SendLedger ledger;
  private final KernelQueue mine;
  private final KernelQueue[] all;
  private final boolean gated;
  private final long timeoutNanos;
  private final LongSupplier clock;
  private State state = State.IDLE;
  private int operation;
  private long epoch;
  private long since;

  StreamSequence(
      int rank,
      int stream,
      SendLedger ledger,
      List<? extends KernelQueue> queues,
      boolean gated,
      long timeoutNanos,
      LongSupplier clock) {
    this.rank = rank;
    this.stream = stream;
    this.ledger = ledger;
    this.all = queues.toArray(KernelQueue[]::new);
    this.mine = all[rank];
    this.gated = gated;
    this.timeoutNanos = timeoutNanos;
    this.clock = clock;
  }

  boolean underWay() {
    return state != State.IDLE;
  }

  /** Sends. */
  void begin(int operationToBegin, long epochToBegin) {
    operation = operationToBegin;
    epoch = epochToBegin;
    mine.send(operation, epoch);
    ledger.announce(stream, operation, rank, epoch);
    since = clock.getAsLong();
    state = State.SENT;
    if (!gated) {
      receive();
    }
  }

  /**
   * One step; {@link Step#DONE} once, when the kernels are done. What they found is for the caller.
   *
   * @throws DeadlineException if a rank has not sent in time, or the kernels do not end
   */
  Step step() {
    return switch (state) {
      case IDLE, REPLAYING ->
          throw new IllegalStateException("stream " + stream + ": nothing has begun");
      case SENT -> {
        if (!ledger.allSent(stream, operation, epoch)) {
          yield waiting(timeoutNanos);
        }
        awaitOthers(operation, epoch);
        receive();
        yield Step.PROGRESS;
      }
      case RECEIVING -> {
        if (!mine.isDone()) {
          yield waiting(KERNEL_WAITS * timeoutNanos);
        }
        state = State.IDLE;
        yield Step.DONE;
      }
    };
  }

  /** Enqueues a send into a graph that is being captured. */
  void captureSend(int what) {
    mine.send(what, 0);
  }

  /** Enqueues a receive into it, behind the sends of all ranks that were captured before. */
  void captureReceive(int what) {
    awaitOthers(what, 0);
    mine.receive(what);
  }

  /** A replay of such a graph is being launched: it is both operations at once. */
  void announceReplay(long dispatch, long combine) {
    ledger.announce(stream, 0, rank, dispatch);
    ledger.announce(stream, 1, rank, combine);
    state = State.REPLAYING;
  }

  void endReplay() {
    state = State.IDLE;
  }

  private void awaitOthers(int what, long ofEpoch) {
    for (int r = 0; gated && r < all.length; r++) {
      if (r != rank) {
        mine.await(all[r], what, ofEpoch);
      }
    }
  }

  private void receive() {
    mine.receive(operation);
    since = clock.getAsLong();
    state = State.RECEIVING;
  }

  private Step waiting(long nanos) {
    if (clock.getAsLong() - since >= nanos) {
      throw new DeadlineException(
          rank,
          (operation == 0 ? "dispatch" : "combine")
              + " epoch "
              + epoch
              + ", stream "
              + stream
              + ": "
              + (state == State.SENT
                  ? "ranks " + ledger.missing(stream, operation, epoch) + " have not begun it"
                  : "its kernels do not end, although their own waits have deadlines"),
          nanos);
    }
    return Step.WAITING;
  }
}
