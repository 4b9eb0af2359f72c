// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.verbs.queue;

/**
 * Counts of one lane: posted, rung, completed, and the packet numbers they stand for.
 *
 * <p>Completions of a queue pair come in posting order, so one signalled work request speaks for
 * all before it. Every {@code depth/2}-th ticket is signalled and the last one of every ring: then
 * no posted ticket is without a later signalled one, and the send queue never fills with work that
 * no completion will ever free.
 *
 * <p>Driven by one thread at a time.
 */
public final class LaneTickets {

  private final int depth;
  private final int mask;
  private final int interval;
  private final int[] psnAfter;
  private long posted;
  private long rung;
  private long completed;
  private int postedPsn;
  private int rungPsn;
  private int ackedPsn;
  private boolean sound;

  /** Counts of a lane with room for {@code depth} operations, a power of two. */
  public LaneTickets(int depth) {
    if (depth < 1 || Integer.bitCount(depth) != 1) {
      throw new IllegalArgumentException("depth " + depth + ": it must be a power of two");
    }
    this.depth = depth;
    this.mask = depth - 1;
    this.interval = Math.max(1, depth / 2);
    this.psnAfter = new int[depth];
  }

  /** Starts a generation whose first packet carries {@code psn}. */
  public void start(int psn) {
    posted = 0;
    rung = 0;
    completed = 0;
    postedPsn = psn;
    rungPsn = psn;
    ackedPsn = psn;
    sound = true;
  }

  /** Whether there is no room. */
  public boolean full() {
    return posted - completed == depth;
  }

  /** Takes the next ticket for a message of {@code packets} packets. The lane is not full. */
  public long take(long packets) {
    postedPsn = Psn.add(postedPsn, packets);
    psnAfter[slot(posted)] = postedPsn;
    return posted++;
  }

  /** The slot of a ticket in a ring of {@code depth}. */
  public int slot(long ticket) {
    return (int) ticket & mask;
  }

  /** Whether the ticket is signalled wherever its ring ends. */
  public boolean signalled(long ticket) {
    return (ticket + 1) % interval == 0;
  }

  /** Notes that everything below {@code ticket} was given to the queue pair. */
  public void rang(long ticket) {
    if (ticket > rung) {
      rung = ticket;
      rungPsn = psnAfter[slot(ticket - 1)];
    }
  }

  /** The ticket whose low 32 bits a completion carries. */
  public long ticketOf(int low) {
    return completed + (low - (int) completed);
  }

  /** Whether a completion of {@code ticket} can be: given to the queue pair and not complete. */
  public boolean outstanding(long ticket) {
    return ticket >= completed && ticket < rung;
  }

  /** Notes that {@code ticket} succeeded, and with it all before. */
  public void succeeded(long ticket) {
    completed = ticket + 1;
    ackedPsn = psnAfter[slot(ticket)];
  }

  /** Notes the lane's first failure, at {@code ticket}: all before it succeeded. */
  public void failedFirst(long ticket) {
    if (ticket > completed) {
      ackedPsn = psnAfter[slot(ticket - 1)];
    }
    completed = ticket + 1;
    sound = false;
  }

  /** Whether every completion so far was a success. */
  public boolean sound() {
    return sound;
  }

  /** Notes that {@code ticket} was flushed behind the first failure. */
  public void flushed(long ticket) {
    completed = ticket + 1;
  }

  /** Drops what was posted and never rung: a lane in error sends nothing more. */
  public void dropUnrung() {
    if (completed == rung) {
      rung = posted;
      completed = posted;
    }
  }

  /** Operations posted. */
  public long posted() {
    return posted;
  }

  /** Operations given to the queue pair. */
  public long rung() {
    return rung;
  }

  /** Operations complete, flushed ones included. */
  public long completed() {
    return completed;
  }

  /** The packet number after everything given to the queue pair. */
  public int nextPsn() {
    return rungPsn;
  }

  /** The first packet number not known to be acknowledged. */
  public int ackedPsn() {
    return ackedPsn;
  }
}
