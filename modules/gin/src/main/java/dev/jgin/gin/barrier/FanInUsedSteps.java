// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gin.barrier;

/**
 * FAN_IN_USED_CONTEXTS: on every context that carried puts to a member since the last barrier
 * (context 0 if none did), store the absolute word (epoch, mask) into the member's cell [epoch
 * parity][source] [context]; wait until some cell of that parity holds the epoch, which gives the
 * mask, and then until all cells of the mask do.
 *
 * <p>Every member signals every member in every epoch, also when it sent nothing: a silent one
 * would let a sender run two epochs ahead. The word is compared with ==, never ≥, and the cells
 * alternate by parity: otherwise the next epoch overwrites the mask before it was read.
 *
 * <p>Single writer and absolute: no shadow, no drift, and a replay inside the epoch is harmless.
 */
final class FanInUsedSteps extends BarrierSteps {

  private final boolean fencesPuts;
  private final int masks;
  private final int seen;

  FanInUsedSteps(int members, int self, int contexts, boolean fencesGets, boolean fencesPuts) {
    super(members, self, contexts, fencesGets);
    this.fencesPuts = fencesPuts;
    this.masks = HEADER;
    this.seen = HEADER + members;
  }

  @Override
  public int stateLongs() {
    return HEADER + members + members * contexts;
  }

  @Override
  public long cells() {
    return 2L * members * contexts;
  }

  private long cell(long epoch, int source, int context) {
    return ((epoch & 1) * members + source) * contexts + context;
  }

  private static boolean isOf(long word, long epoch) {
    return (int) (word >>> 32) == (int) epoch && (int) word != 0;
  }

  @Override
  protected boolean post(long[] state, BarrierPort port) {
    long epoch = state[EPOCH];
    long slots = (long) members * contexts;
    for (long i = state[CURSOR]; i < slots; i++) {
      int context = (int) (i % contexts);
      int member = nth((int) (i / contexts));
      if (state[masks + member] == 0) {
        state[masks + member] = takeMask(state, port, member);
      }
      long mask = state[masks + member];
      if ((mask & (1L << context)) == 0) {
        continue;
      }
      if (!port.tryStore(context, member, cell(epoch, self, context), epoch << 32 | mask)) {
        // Resume with the mask already taken: puts of the next epoch must not join it.
        state[CURSOR] = i;
        return false;
      }
    }
    for (int member = 0; member < members; member++) {
      state[masks + member] = 0;
    }
    return true;
  }

  /** The contexts whose put count moved since the last arrival; context 0 if none did. */
  private long takeMask(long[] state, BarrierPort port, int member) {
    long mask = 0;
    for (int context = 0; context < contexts; context++) {
      long puts = port.puts(context, member);
      int at = seen + member * contexts + context;
      if (puts != state[at]) {
        state[at] = puts;
        mask |= 1L << context;
      }
    }
    return fencesPuts && mask != 0 ? mask : 1;
  }

  @Override
  protected boolean passed(long[] state, BarrierPort port) {
    long epoch = state[EPOCH];
    for (int source = (int) state[CURSOR]; source < members; source++) {
      if (!arrived(port, epoch, source)) {
        state[CURSOR] = source;
        return false;
      }
    }
    return true;
  }

  private boolean arrived(BarrierPort port, long epoch, int source) {
    long mask = mask(port, epoch, source);
    if (mask == 0) {
      return false;
    }
    for (int context = 0; context < contexts; context++) {
      if ((mask & (1L << context)) != 0 && !isOf(port.load(cell(epoch, source, context)), epoch)) {
        return false;
      }
    }
    return true;
  }

  private long mask(BarrierPort port, long epoch, int source) {
    for (int context = 0; context < contexts; context++) {
      long word = port.load(cell(epoch, source, context));
      if (isOf(word, epoch)) {
        return word & 0xFFFF_FFFFL;
      }
    }
    return 0;
  }

  @Override
  public String missing(long[] state, BarrierPort port) {
    StringBuilder out = new StringBuilder();
    for (int source = 0; source < members; source++) {
      if (!arrived(port, state[EPOCH], source)) {
        long mask = mask(port, state[EPOCH], source);
        out.append(" [member ").append(source);
        out.append(
            mask == 0 ? " on every context]" : " of contexts 0b" + Long.toBinaryString(mask) + "]");
      }
    }
    return out.toString();
  }
}
