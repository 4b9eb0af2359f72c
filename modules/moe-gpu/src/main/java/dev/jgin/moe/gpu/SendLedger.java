// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.gpu;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Which rank has launched the send kernel of which epoch. A kernel that waits is launched only when
 * all that it waits for are: otherwise its blocks could fill the GPU and keep those out.
 *
 * <p>One writer for each cell. What a rank did before {@link #announce} is visible to who finds it
 * in {@link #allSent}. Thread-safe; allocates only in {@link #missing}.
 */
final class SendLedger {
  private static final int OPERATIONS = 2;

  private final int ranks;
  private final AtomicLongArray sent;

  SendLedger(int ranks, int streams, long initialEpoch) {
    this.ranks = ranks;
    this.sent = new AtomicLongArray(streams * OPERATIONS * ranks);
    for (int i = 0; i < sent.length(); i++) {
      sent.set(i, initialEpoch);
    }
  }

  /** The send kernel of {@code rank} is in its queue, and its event behind it. */
  void announce(int stream, int operation, int rank, long epoch) {
    sent.setRelease(cell(stream, operation, rank), epoch);
  }

  /** Whether every rank has announced the epoch. */
  boolean allSent(int stream, int operation, long epoch) {
    for (int rank = 0; rank < ranks; rank++) {
      if (!hasSent(stream, operation, rank, epoch)) {
        return false;
      }
    }
    return true;
  }

  /** The ranks that have not. */
  List<Integer> missing(int stream, int operation, long epoch) {
    List<Integer> missing = new ArrayList<>();
    for (int rank = 0; rank < ranks; rank++) {
      if (!hasSent(stream, operation, rank, epoch)) {
        missing.add(rank);
      }
    }
    return missing;
  }

  private boolean hasSent(int stream, int operation, int rank, long epoch) {
    // A difference, so that it is right also where epochs wrap.
    return sent.getAcquire(cell(stream, operation, rank)) - epoch >= 0;
  }

  private int cell(int stream, int operation, int rank) {
    return (stream * OPERATIONS + operation) * ranks + rank;
  }
}
