// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.management.ThreadMXBean;
import dev.jgin.gin.BarrierProtocol;
import dev.jgin.moe.routing.UniformRouting;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A step that allocated would do so in every epoch; what start-up and the compiler allocate comes
 * in some of them only. So the least of many epochs must be 0.
 */
class HotPathAllocationTest {
  private static final int RANKS = 3;
  private static final int TOKENS = 6;
  private static final int EPOCHS = 300;

  @ParameterizedTest
  @EnumSource(
      value = BarrierProtocol.class,
      names = {"FAN_IN_ALL_CONTEXTS", "FAN_IN_USED_CONTEXTS", "ORDER_FREE"})
  void shouldAllocateNothingAfterWarmUp(BarrierProtocol protocol) {
    for (CombineMode mode : CombineMode.values()) {
      EpConfig config =
          EpConfig.builder(12, 4, 64)
              .maxTokensPerRank(TOKENS)
              .barrier(protocol)
              .combine(mode)
              .expertAlignment(4)
              .audit(true)
              .build();
      try (EngineWorld world = new EngineWorld(RANKS, 2, config)) {
        world.fill(TOKENS);
        assertEquals(0, leastOfManyEpochs(world), protocol + " " + mode);
      }
    }
  }

  private static long leastOfManyEpochs(EngineWorld world) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    EpPlan[] plans = new EpPlan[RANKS];
    for (int r = 0; r < RANKS; r++) {
      plans[r] = world.engines.get(r).newPlan();
    }
    var routing = new UniformRouting(12, 4).generate(TOKENS, 1);
    long least = Long.MAX_VALUE;
    for (int e = 0; e < EPOCHS; e++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      for (int r = 0; r < RANKS; r++) {
        plans[r].plan(routing);
        world.stream(r).beginDispatch(plans[r]);
      }
      world.finishDispatch();
      world.combine();
      least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
    }
    return least;
  }
}
