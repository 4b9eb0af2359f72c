// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.perf.loop;

import dev.jgin.gin.Communicator;
import dev.jgin.gin.Window;
import dev.jgin.gin.spi.Axiom;
import dev.jgin.gin.spi.Fabric;

/**
 * Rank 0 keeps up to {@code depth} puts outstanding on each context and reaps completions as they
 * come (perftest's {@code ib_write_bw}). Rank 1 takes no part until it compares. Messages take the
 * contexts in turn, and each context its slots of the window.
 *
 * <p>Each message is stamped with its number, where the carrier promises that writes of a lane are
 * seen in order (A1w); then the comparison also shows that the last message to each slot is the one
 * that stands there. Elsewhere all messages to a slot are the same.
 */
public final class PutStream implements Loop {
  private static final int TARGET = 1;
  private static final int SIGNAL = 0;

  private final Communicator comm;
  private final Fabric fabric;
  private final Slots slots;
  private final Window window;
  private final Patience patience;
  private final long seed;
  private final boolean stamped;
  private long signalled;
  private int turn;
  private int[] slotOf;

  /**
   * Collective.
   *
   * @param slots shared by both ranks
   */
  public PutStream(Communicator comm, Slots slots, long seed) {
    this.comm = comm;
    this.fabric = comm.fabric();
    this.slots = slots;
    this.window = comm.registerWindow("perf put_bw", slots.windowBytes());
    this.patience = new Patience(comm);
    this.seed = seed;
    this.stamped = fabric.axioms().promises(Axiom.A1W);
    this.slotOf = new int[comm.contexts()];
  }

  @Override
  public void begin(long bytes) {
    slots.begin(bytes);
    slotOf = new int[comm.contexts()];
    for (int slot = 0; slot < slots.count(); slot++) {
      // What stands there before is not what is expected there.
      Pattern.fill(window.local(), slots.offset(slot), bytes, key(slot, comm.rank()));
    }
  }

  private long key(int slot, int rank) {
    return Pattern.key(seed, rank, slots.bytes() * slots.count() + slot);
  }

  @Override
  public void rounds(Extent extent, Stamps posted, Stamps completed) {
    if (comm.rank() == TARGET) {
      return;
    }
    long sent = 0;
    long done = 0;
    long before = completedOnAll();
    int round = 0;
    while (true) {
      while (extent.more(sent) && hasRoom()) {
        long now = System.nanoTime();
        extent.lead(sent, now);
        posted.add(now);
        send();
        sent++;
      }
      long seen = reap() - before;
      if (seen == done) {
        if (done == sent) {
          return;
        }
        patience.idle(round++, "completions of puts");
        continue;
      }
      round = 0;
      long now = System.nanoTime();
      for (; done < seen; done++) {
        completed.add(now);
      }
    }
  }

  private boolean hasRoom() {
    return fabric.posted(turn, TARGET) - fabric.completed(turn, TARGET) < slots.depth();
  }

  private void send() {
    int context = turn;
    int slot = slots.slot(context, slotOf[context]);
    slotOf[context] = slotOf[context] + 1 == slots.depth() ? 0 : slotOf[context] + 1;
    turn = turn + 1 == slotOf.length ? 0 : turn + 1;
    long offset = slots.offset(slot);
    long number = slots.sent(slot);
    if (stamped) {
      slots.stamp(window.local(), slot, number);
    }
    if (!comm.context(context).tryPut(TARGET, window, offset, window, offset, slots.bytes())) {
      // Only where lanes are less deep than they say; this waits, within the deadline.
      comm.context(context).put(TARGET, window, offset, window, offset, slots.bytes());
    }
  }

  private long reap() {
    for (int c = 0; c < slotOf.length; c++) {
      comm.context(c).poll();
    }
    comm.checkLanes();
    return completedOnAll();
  }

  private long completedOnAll() {
    long sum = 0;
    for (int c = 0; c < slotOf.length; c++) {
      sum += fabric.completed(c, TARGET);
    }
    return sum;
  }

  /** A signal behind the puts of each context speaks for them (A4). */
  @Override
  public void finish(Findings findings) {
    signalled++;
    for (int c = 0; c < slotOf.length; c++) {
      if (comm.rank() == TARGET) {
        comm.context(c).signals().await(SIGNAL, signalled);
      } else {
        comm.context(c).signalInc(TARGET, SIGNAL);
        comm.context(c).flush();
      }
    }
    if (comm.rank() == TARGET) {
      for (int slot = 0; slot < slots.count(); slot++) {
        compare(slot, findings);
      }
    }
  }

  private void compare(int slot, Findings findings) {
    long number = slots.lastSent(slot);
    if (number < 0) {
      return;
    }
    long head = stamped ? slots.stampBytes() : 0;
    long wrong =
        Pattern.differing(
            window.local(), slots.offset(slot), head, slots.bytes(), key(slot, 1 - TARGET));
    if (stamped && !slots.hasStamp(window.local(), slot, number)) {
      wrong += head;
      findings.note(
          "slot " + slot + " does not begin with the number of its last message, " + number);
    }
    findings.compared(slots.bytes(), wrong);
    if (wrong != 0) {
      findings.note(
          wrong
              + " of "
              + slots.bytes()
              + " bytes of message "
              + number
              + " in slot "
              + slot
              + " are wrong");
    }
  }
}
