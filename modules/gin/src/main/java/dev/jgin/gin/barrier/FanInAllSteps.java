// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gin.barrier;

import dev.jgin.gin.Rolling;

/**
 * FAN_IN_ALL_CONTEXTS: add 1 on every context to every member's cell (source, context), wait until
 * every own cell has reached the epoch.
 *
 * <p>Each signal stands behind its own lane's puts (A4), and there is a cell of its own per
 * context. One cell shared by all contexts would be unsound: the next epoch's add on a fast context
 * stands in for the missing add of a slow one.
 *
 * <p>With one fan context it is SINGLE_CONTEXT, and with {@code flushFirst}
 * FLUSH_THEN_SINGLE_CONTEXT: the public race, kept as positive controls.
 */
final class FanInAllSteps extends BarrierSteps {

  private static final int STAGE = HEADER;

  private final int fan;
  private final boolean flushFirst;
  private final long initialEpoch;

  FanInAllSteps(
      int members,
      int self,
      int contexts,
      boolean fencesGets,
      int fan,
      boolean flushFirst,
      long initialEpoch) {
    super(members, self, contexts, fencesGets);
    this.fan = fan;
    this.flushFirst = flushFirst;
    this.initialEpoch = initialEpoch;
  }

  @Override
  public int stateLongs() {
    return HEADER + 1;
  }

  @Override
  public long cells() {
    return (long) members * fan;
  }

  private long cell(int source, int context) {
    return (long) source * fan + context;
  }

  @Override
  protected boolean post(long[] state, BarrierPort port) {
    if (flushFirst && state[STAGE] == 0) {
      if (!allFlushed(state, port)) {
        return false;
      }
      state[STAGE] = 1;
      state[CURSOR] = 0;
    }
    // The first add also lifts the cell from 0 to the initial epoch.
    long addend = state[EPOCH] == initialEpoch + 1 ? initialEpoch + 1 : 1;
    long signals = (long) members * fan;
    for (long i = state[CURSOR]; i < signals; i++) {
      int context = (int) (i % fan);
      if (!port.tryAdd(context, nth((int) (i / fan)), cell(self, context), addend)) {
        state[CURSOR] = i;
        return false;
      }
    }
    state[STAGE] = 0;
    return true;
  }

  @Override
  protected boolean passed(long[] state, BarrierPort port) {
    long epoch = state[EPOCH];
    long cells = cells();
    for (long i = state[CURSOR]; i < cells; i++) {
      if (!Rolling.reached(port.load(i), epoch)) {
        state[CURSOR] = i;
        return false;
      }
    }
    return true;
  }

  @Override
  public String missing(long[] state, BarrierPort port) {
    StringBuilder out = new StringBuilder();
    for (int source = 0; source < members; source++) {
      for (int context = 0; context < fan; context++) {
        long value = port.load(cell(source, context));
        if (!Rolling.reached(value, state[EPOCH])) {
          out.append(" [member ").append(source).append(" context ").append(context);
          out.append(" at ").append(value).append(']');
        }
      }
    }
    return out.toString();
  }
}
