// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.perf.loop;

import dev.jgin.gin.Communicator;
import dev.jgin.gin.Context;
import dev.jgin.gin.Window;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * A put there and a put back, each seen by polling its last byte (perftest's {@code ib_write_lat}).
 * Rank 0 begins; rounds take the contexts in turn.
 *
 * <h2>When the last byte speaks for the others</h2>
 *
 * <ul>
 *   <li>A message no longer than the carrier's granule is placed so that it ends with a granule:
 *       its last byte is seen with the rest or not at all.
 *   <li>A longer one is believed to arrive in ascending order, as on a queue pair with strictly
 *       ordered memory; perftest believes the same. A carrier that does not promise even the order
 *       of whole writes (A1w) is refused by {@link Soundness}. No axiom promises the order of the
 *       bytes <em>within</em> a write, so it is not left at belief: {@link #check} rewrites the
 *       whole message in each round and compares all of it at the moment its last byte is seen. A
 *       timed round changes the last byte alone.
 * </ul>
 */
public final class PutPingPong implements Loop {
  /** Looks at memory between two turns that also look at completions, lanes and the clock. */
  private static final int LOOKS = 32;

  private static final long PAGE = 4096;
  private static final VarHandle BYTE = ValueLayout.JAVA_BYTE.varHandle();

  private final Communicator comm;
  private final int peer;
  private final long seed;
  private final long area;
  private final Window window;
  private final Patience patience;
  private long bytes;
  private long number;
  private int turn;
  private long expectedKey;

  /** Collective. Ranks 0 and 1 send messages of up to {@code most} bytes. */
  public PutPingPong(Communicator comm, long most, long seed) {
    this.comm = comm;
    this.peer = 1 - comm.rank();
    this.seed = seed;
    this.area = area(most);
    this.window = comm.registerWindow("perf put_lat", windowBytes(most));
    this.patience = new Patience(comm);
  }

  private static long area(long most) {
    return Math.ceilDiv(most, PAGE) * PAGE;
  }

  /** Bytes of the window at each rank: one place to receive and one to send from. */
  public static long windowBytes(long most) {
    return 2 * area(most);
  }

  @Override
  public void begin(long size) {
    bytes = size;
  }

  private MemorySegment memory() {
    return window.local();
  }

  /** Messages end with the area, so the last byte has one place whatever the size. */
  private long received() {
    return area - bytes;
  }

  private long sent() {
    return 2 * area - bytes;
  }

  @Override
  public void check(int rounds, Findings findings) {
    for (int i = 0; i < rounds; i++) {
      number++;
      refill();
      if (comm.rank() == 0) {
        send();
      }
      await();
      compare(findings);
      if (comm.rank() == 1) {
        send();
      }
    }
  }

  /** Makes the message new from its first byte to its last. */
  private void refill() {
    expectedKey = Pattern.key(seed, peer, number);
    Pattern.fill(memory(), sent(), bytes, Pattern.key(seed, comm.rank(), number));
  }

  private void compare(Findings findings) {
    // The last byte is the one that was waited for.
    long wrong = Pattern.differing(memory(), received(), 0, bytes - 1, expectedKey);
    findings.compared(bytes, wrong);
    if (wrong != 0) {
      long at = Pattern.firstDiffering(memory(), received(), 0, bytes - 1, expectedKey);
      findings.note(
          "rank "
              + comm.rank()
              + " saw the last byte of message "
              + number
              + " of "
              + bytes
              + " bytes while "
              + wrong
              + " others were wrong or not here, the first at "
              + at
              + ": figures of put_lat would be too low on this carrier; use a size up to its granule"
              + ", or signal_lat");
    }
  }

  @Override
  public void rounds(Extent extent, Stamps posted, Stamps completed) {
    boolean leads = comm.rank() == 0;
    long i = 0;
    do {
      number++;
      if (leads) {
        long now = System.nanoTime();
        extent.lead(i, now);
        posted.add(now);
        send();
        await();
      } else {
        await();
        send();
      }
      i++;
    } while (extent.more(i));
  }

  /** Sends message {@link #number}. */
  private void send() {
    memory().set(ValueLayout.JAVA_BYTE, 2 * area - 1, (byte) number);
    Context context = comm.context(turn);
    turn = turn + 1 == comm.contexts() ? 0 : turn + 1;
    if (!context.tryPut(peer, window, received(), window, sent(), bytes)) {
      context.put(peer, window, received(), window, sent(), bytes);
    }
    // The source changes in the next round, and may only when this one is complete.
    context.flush();
  }

  private void await() {
    byte expected = (byte) number;
    for (int round = 0; !seen(expected); round++) {
      patience.idle(round, "the last byte of a put of rank 0 or 1");
    }
  }

  private boolean seen(byte expected) {
    for (int look = 0; look < LOOKS; look++) {
      if ((byte) BYTE.getAcquire(memory(), area - 1) == expected) {
        return true;
      }
      Thread.onSpinWait();
    }
    return false;
  }

  @Override
  public void finish(Findings findings) {
    compare(findings);
  }
}
