// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gin.barrier;

import dev.jgin.gin.BarrierOptions;
import dev.jgin.gin.BarrierProtocol;

/** Makes the steps of a protocol, and knows the one protocol with counts. */
public final class Protocols {

  private Protocols() {}

  /**
   * The steps of {@code options.protocol()} for one member.
   *
   * @throws IllegalArgumentException if FAN_IN_USED_CONTEXTS is asked for over more contexts than
   *     its mask has bits
   */
  public static BarrierSteps steps(BarrierOptions options, int members, int self, int contexts) {
    boolean puts = options.fence().fencesPuts();
    boolean gets = options.fence().fencesGets();
    return switch (options.protocol()) {
      case SINGLE_CONTEXT -> fanIn(options, members, self, contexts, 1, false);
      case FLUSH_THEN_SINGLE_CONTEXT -> fanIn(options, members, self, contexts, 1, puts);
      case FAN_IN_ALL_CONTEXTS ->
          fanIn(options, members, self, contexts, puts ? contexts : 1, false);
      case FAN_IN_USED_CONTEXTS -> {
        if (contexts > BarrierProtocol.MAX_USED_CONTEXTS) {
          throw new IllegalArgumentException(
              "FAN_IN_USED_CONTEXTS over "
                  + contexts
                  + " contexts: its mask holds "
                  + BarrierProtocol.MAX_USED_CONTEXTS
                  + "; use fewer contexts or FAN_IN_ALL_CONTEXTS");
        }
        yield new FanInUsedSteps(members, self, contexts, gets, puts);
      }
      case ORDER_FREE -> new OrderFreeSteps(members, self, contexts, gets, puts);
    };
  }

  private static BarrierSteps fanIn(
      BarrierOptions options, int members, int self, int contexts, int fan, boolean flushFirst) {
    return new FanInAllSteps(
        members,
        self,
        contexts,
        options.fence().fencesGets(),
        fan,
        flushFirst,
        options.initialEpoch());
  }

  /**
   * Notes the rows sent to {@code member} in the epoch begun next; protocols without counts ignore
   * it.
   */
  public static void count(BarrierSteps steps, long[] state, int member, long rows) {
    if (steps instanceof OrderFreeSteps orderFree) {
      state[orderFree.rowsIndex(member)] = rows;
    }
  }

  /**
   * The rows that {@code member} announced for {@code epoch}, or -1 for protocols without counts.
   */
  public static long counted(BarrierSteps steps, BarrierPort port, long epoch, int member) {
    return steps instanceof OrderFreeSteps orderFree
        ? orderFree.announced(port, epoch, member)
        : -1L;
  }
}
