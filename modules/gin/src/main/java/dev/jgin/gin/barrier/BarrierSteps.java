// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gin.barrier;

/**
 * One protocol as two resumable steps, {@link #arrive} and {@link #poll}, over a state of {@link
 * #stateLongs()} longs.
 *
 * <p>Arriving at all members and waiting for all are apart on purpose. A loop that signals one
 * member and waits for it before it signals the next deadlocks as soon as fewer threads than
 * members drive it.
 *
 * <p>The steps themselves are immutable; one state belongs to one thread at a time.
 */
public abstract class BarrierSteps {

  /** Index of the phase in the state. */
  public static final int PHASE = 0;

  /** Index of the epoch last begun. */
  public static final int EPOCH = 1;

  /** Index of the cursor at which a step resumes. */
  public static final int CURSOR = 2;

  /** First index that belongs to the protocol. */
  protected static final int HEADER = 3;

  /** Phase: no arrival begun since the last pass. */
  public static final long IDLE = 0;

  /** Phase: some signals are posted. */
  public static final long ARRIVING = 1;

  /** Phase: all signals are posted. */
  public static final long WAITING = 2;

  /** Phase: the members' signals are seen, own gets are still out. */
  public static final long LANDING = 3;

  /** Number of members. */
  protected final int members;

  /** This member. */
  protected final int self;

  /** Number of contexts. */
  protected final int contexts;

  private final boolean fencesGets;

  /** For subclasses. */
  protected BarrierSteps(int members, int self, int contexts, boolean fencesGets) {
    this.members = members;
    this.self = self;
    this.contexts = contexts;
    this.fencesGets = fencesGets;
  }

  /** Longs of state; a new state is all zero but for {@link #EPOCH}. */
  public int stateLongs() {
    return HEADER;
  }

  /** Cells of signal memory at each member. */
  public abstract long cells();

  /**
   * Posts signals to all members, self last. False means that a lane was full: call again.
   *
   * @throws IllegalStateException if the previous epoch was not passed
   */
  public final boolean arrive(long[] state, BarrierPort port) {
    if (state[PHASE] == IDLE) {
      state[EPOCH]++;
      state[PHASE] = ARRIVING;
      state[CURSOR] = 0;
    } else if (state[PHASE] != ARRIVING) {
      throw new IllegalStateException(
          "arrive before the wait of epoch " + state[EPOCH] + " has ended");
    }
    if (!post(state, port)) {
      return false;
    }
    state[PHASE] = WAITING;
    state[CURSOR] = 0;
    return true;
  }

  /**
   * Looks whether all members have arrived. True exactly once per epoch.
   *
   * @throws IllegalStateException if the arrival is not complete
   */
  public final boolean poll(long[] state, BarrierPort port) {
    if (state[PHASE] == WAITING) {
      if (!passed(state, port)) {
        return false;
      }
      state[CURSOR] = 0;
      state[PHASE] = LANDING;
    }
    if (state[PHASE] != LANDING) {
      throw new IllegalStateException("poll before the arrival of epoch " + state[EPOCH]);
    }
    if (fencesGets && !allFlushed(state, port)) {
      return false;
    }
    state[PHASE] = IDLE;
    return true;
  }

  /** Posts this epoch's signals from the cursor on; true when all are posted. */
  protected abstract boolean post(long[] state, BarrierPort port);

  /** Looks at the signals from the cursor on; true when all are seen. */
  protected abstract boolean passed(long[] state, BarrierPort port);

  /** What the wait still misses, for messages: may allocate. */
  public abstract String missing(long[] state, BarrierPort port);

  /**
   * The member that is handled {@code i}-th: the next in rank order first, self last, so that not
   * all members send to member 0 at once.
   */
  protected final int nth(int i) {
    int member = self + 1 + i;
    return member < members ? member : member - members;
  }

  /** Resumable look at the completions of all lanes, from the cursor on. */
  protected final boolean allFlushed(long[] state, BarrierPort port) {
    long lanes = (long) members * contexts;
    for (long i = state[CURSOR]; i < lanes; i++) {
      if (!port.flushed((int) (i % contexts), (int) (i / contexts))) {
        state[CURSOR] = i;
        return false;
      }
    }
    return true;
  }
}
