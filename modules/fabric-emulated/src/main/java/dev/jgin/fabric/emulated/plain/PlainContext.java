// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.emulated.plain;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * One context of one rank: the counters of its lanes, indexed by peer, and what was posted on them
 * and not sent yet.
 *
 * <p>Flat arrays instead of an object per lane, and queues that begin with one entry: a barrier of
 * 1,024 ranks on 16 contexts touches 16.8 million lanes. Driven by one thread at a time; only
 * {@link #sending} is read by others.
 */
final class PlainContext {

  /** Words of a queued operation: header, source offset or value, target offset, bytes. */
  static final int ENTRY = 4;

  private static final VarHandle INTS = MethodHandles.arrayElementVarHandle(int[].class);

  final long[] posted;
  final long[] rung;
  final long[] sent;
  final long[] reaped;
  final long[] messages;
  final long[] packets;
  private final int[] sending;
  private final long[][] queue;
  private final int[] unreaped;
  private final boolean[] isUnreaped;
  private int unreapedCount;
  private long seenFailures;

  PlainContext(int ranks) {
    posted = new long[ranks];
    rung = new long[ranks];
    sent = new long[ranks];
    reaped = new long[ranks];
    messages = new long[ranks];
    packets = new long[ranks];
    sending = new int[ranks];
    queue = new long[ranks][];
    unreaped = new int[ranks];
    isUnreaped = new boolean[ranks];
  }

  /** Queues an operation and returns its ticket. */
  long post(int peer, int depth, long header, long first, long offset, long bytes) {
    long ticket = posted[peer];
    int at = (int) (ticket - sent[peer]) * ENTRY;
    long[] q = queue[peer];
    if (q == null || at == q.length) {
      q = grow(peer, q, depth);
    }
    q[at] = header;
    q[at + 1] = first;
    q[at + 2] = offset;
    q[at + 3] = bytes;
    posted[peer] = ticket + 1;
    return ticket;
  }

  private long[] grow(int peer, long[] q, int depth) {
    int entries = q == null ? 1 : Math.min(depth, q.length / ENTRY * 4);
    queue[peer] = q == null ? new long[entries * ENTRY] : Arrays.copyOf(q, entries * ENTRY);
    return queue[peer];
  }

  /** The queue of a lane: entry 0 is the first that was not sent. */
  long[] queue(int peer) {
    return queue[peer];
  }

  /** Takes the {@code n} oldest operations off the queue: they were sent. */
  void taken(int peer, int n) {
    int left = (int) (posted[peer] - sent[peer]) - n;
    if (left > 0) {
      System.arraycopy(queue[peer], n * ENTRY, queue[peer], 0, left * ENTRY);
    }
    sent[peer] += n;
    noteUnreaped(peer);
  }

  /** Makes the next {@link PlainFabric#poll} look at this lane. */
  void noteUnreaped(int peer) {
    if (!isUnreaped[peer]) {
      isUnreaped[peer] = true;
      unreaped[unreapedCount++] = peer;
    }
  }

  /**
   * Begins a round over the lanes with something to reap: returns how many there are, to be asked
   * for by {@link #unreaped} in ascending order. Lanes noted meanwhile belong to the next round.
   */
  int beginReaping() {
    int n = unreapedCount;
    unreapedCount = 0;
    return n;
  }

  /** Lane {@code i} of the round. */
  int unreaped(int i) {
    // A lane noted during the round lands at an index below the ones still to be read.
    int peer = unreaped[i];
    isUnreaped[peer] = false;
    return peer;
  }

  /** Notes every lane with unsent work if lanes of this rank have failed since the last look. */
  void noteFailures(long failures) {
    if (failures == seenFailures) {
      return;
    }
    seenFailures = failures;
    for (int peer = 0; peer < posted.length; peer++) {
      if (posted[peer] != sent[peer]) {
        noteUnreaped(peer);
      }
    }
  }

  /** Announces a send; everything after it in this thread is ordered after the announcement. */
  void beginSend(int peer) {
    // Volatile, because the sender then reads whether an end is closed while a fencing thread
    // closes it and then reads this: one of the two must see the other.
    INTS.setVolatile(sending, peer, 1);
  }

  /** Ends a send. */
  void endSend(int peer) {
    INTS.setRelease(sending, peer, 0);
  }

  /** Whether a send is going on. */
  boolean isSending(int peer) {
    return (int) INTS.getVolatile(sending, peer) != 0;
  }

  /** Forgets a generation. */
  void reset(int peer) {
    posted[peer] = 0;
    rung[peer] = 0;
    sent[peer] = 0;
    reaped[peer] = 0;
    messages[peer] = 0;
    packets[peer] = 0;
  }
}
