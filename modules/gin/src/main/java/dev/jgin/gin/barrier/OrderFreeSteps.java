// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gin.barrier;

/**
 * ORDER_FREE: send every member one tagged count line per epoch, also for zero rows; wait until
 * every count line of the epoch is here and, when puts are fenced, every announced row is fresh.
 *
 * <p>It needs no order from the carrier, only that a granule becomes visible whole. The tag is the
 * full epoch: a phase bit or a one-bit tag is not enough, and a silent idle member is not either.
 *
 * <p>A count line is two cells, [epoch parity][source]: count, then tag.
 */
final class OrderFreeSteps extends BarrierSteps {

  private final boolean fencesPuts;

  OrderFreeSteps(int members, int self, int contexts, boolean fencesGets, boolean fencesPuts) {
    super(members, self, contexts, fencesGets);
    this.fencesPuts = fencesPuts;
  }

  /** Index in the state of the rows sent to {@code member} in the epoch that is begun next. */
  int rowsIndex(int member) {
    return HEADER + member;
  }

  @Override
  public int stateLongs() {
    return HEADER + members;
  }

  @Override
  public long cells() {
    return 4L * members;
  }

  private long line(long epoch, int source) {
    return 2 * ((epoch & 1) * members + source);
  }

  /** Rows that {@code source} announced; meaningful once its line is here. */
  long announced(BarrierPort port, long epoch, int source) {
    return port.load(line(epoch, source));
  }

  @Override
  protected boolean post(long[] state, BarrierPort port) {
    long epoch = state[EPOCH];
    for (int i = (int) state[CURSOR]; i < members; i++) {
      int member = nth(i);
      if (!port.tryStoreLine(0, member, line(epoch, self), state[rowsIndex(member)], epoch)) {
        state[CURSOR] = i;
        return false;
      }
    }
    return true;
  }

  @Override
  protected boolean passed(long[] state, BarrierPort port) {
    for (int source = (int) state[CURSOR]; source < members; source++) {
      if (!arrived(port, state[EPOCH], source)) {
        state[CURSOR] = source;
        return false;
      }
    }
    return true;
  }

  private boolean arrived(BarrierPort port, long epoch, int source) {
    // The tag is loaded first, with acquire: the count of the same granule is then at least as new.
    return port.load(line(epoch, source) + 1) == epoch
        && (!fencesPuts || port.fresh(source, announced(port, epoch, source), epoch));
  }

  @Override
  public String missing(long[] state, BarrierPort port) {
    StringBuilder out = new StringBuilder();
    for (int source = 0; source < members; source++) {
      long epoch = state[EPOCH];
      long tag = port.load(line(epoch, source) + 1);
      if (tag != epoch) {
        out.append(" [member ").append(source).append(": count line of epoch ").append(tag);
        out.append(']');
      } else if (!arrived(port, epoch, source)) {
        out.append(" [member ").append(source).append(": some of ");
        out.append(announced(port, epoch, source)).append(" rows]");
      }
    }
    return out.toString();
  }
}
