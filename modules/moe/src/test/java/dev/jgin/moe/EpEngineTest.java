// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jgin.gin.BarrierProtocol;
import dev.jgin.moe.check.Check;
import dev.jgin.moe.check.Violation;
import dev.jgin.moe.check.ViolationException;
import dev.jgin.moe.numeric.BlockQuantizer;
import dev.jgin.moe.numeric.DType;
import dev.jgin.moe.numeric.Elements;
import dev.jgin.moe.numeric.ScaleFormat;
import dev.jgin.moe.routing.Routing;
import dev.jgin.moe.routing.UniformRouting;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class EpEngineTest {
  private static final int EXPERTS = 10;
  private static final int TOP_K = 3;
  private static final int HIDDEN = 24;
  private static final int TOKENS = 5;

  private static EpConfigBuilder builder() {
    return EpConfig.builder(EXPERTS, TOP_K, HIDDEN).maxTokensPerRank(TOKENS);
  }

  private static List<Routing> routing(int ranks, long seed) {
    return Routing.split(new UniformRouting(EXPERTS, TOP_K).generate(ranks * TOKENS, seed), ranks);
  }

  /** Identity experts give back each token times the sum of its weights. */
  private static void requireCombined(EngineWorld world, List<Routing> routing) {
    for (int r = 0; r < routing.size(); r++) {
      for (int t = 0; t < TOKENS; t++) {
        float expected = 0f;
        for (int k = 0; k < TOP_K; k++) {
          expected += routing.get(r).weight(t, k) * EngineWorld.value(r, t);
        }
        float actual =
            Elements.read(
                DType.BF16,
                world.stream(r).combined(),
                DType.BF16.bytes((long) t * HIDDEN),
                HIDDEN - 1);
        assertEquals(expected, actual, Math.abs(expected) / 64, "rank " + r + " token " + t);
      }
    }
  }

  private static void runEpochs(EngineWorld world, int ranks, int epochs) {
    world.fill(TOKENS);
    for (int e = 0; e < epochs; e++) {
      List<Routing> routing = routing(ranks, e);
      world.dispatch(routing);
      world.runExperts();
      world.combine();
      requireCombined(world, routing);
    }
  }

  @ParameterizedTest
  @EnumSource(BarrierProtocol.class)
  void shouldBringEveryTokenBack(BarrierProtocol protocol) {
    for (CombineMode mode : CombineMode.values()) {
      EpConfig config = builder().barrier(protocol).combine(mode).build();
      try (EngineWorld world = new EngineWorld(4, 3, config)) {
        runEpochs(world, 4, 5);
      }
    }
  }

  @Test
  void shouldBringEveryTokenBackByBlockingCalls() throws Exception {
    int ranks = 3;
    try (EngineWorld world = new EngineWorld(ranks, 2, builder().build());
        ExecutorService threads = Executors.newFixedThreadPool(ranks)) {
      world.fill(TOKENS);
      List<Routing> routing = routing(ranks, 4);
      List<Callable<DispatchResult>> dispatches = new ArrayList<>();
      List<Callable<MemorySegment>> combines = new ArrayList<>();
      for (int r = 0; r < ranks; r++) {
        EpStream stream = world.stream(r);
        Routing mine = routing.get(r);
        dispatches.add(() -> stream.dispatch(mine));
        combines.add(stream::combine);
      }
      for (Future<DispatchResult> result : threads.invokeAll(dispatches)) {
        assertEquals(1, result.get().epoch());
      }
      world.runExperts();
      for (Future<MemorySegment> result : threads.invokeAll(combines)) {
        assertEquals(DType.BF16.bytes((long) TOKENS * HIDDEN), result.get().byteSize());
      }
      requireCombined(world, routing);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = BarrierProtocol.class,
      names = {"FAN_IN_ALL_CONTEXTS", "FAN_IN_USED_CONTEXTS", "ORDER_FREE"})
  void shouldPassTheWrapOfItsEpochs(BarrierProtocol protocol) {
    for (long start : new long[] {(1L << 31) - 3, (1L << 32) - 3, Long.MAX_VALUE - 2}) {
      EpConfig config = builder().barrier(protocol).initialEpoch(start).build();
      try (EngineWorld world = new EngineWorld(2, 2, config)) {
        runEpochs(world, 2, 6);
        assertEquals(start + 6, world.stream(0).dispatched().epoch());
      }
    }
  }

  @Test
  void shouldReportARankThatPlansAnewWhileOthersReuse() {
    try (EngineWorld world = new EngineWorld(2, 2, builder().build())) {
      world.fill(TOKENS);
      EpPlan[] plans = {world.engines.get(0).newPlan(), world.engines.get(1).newPlan()};
      for (int r = 0; r < 2; r++) {
        plans[r].plan(routing(2, 1).get(r));
        world.stream(r).beginDispatch(plans[r]);
      }
      world.finishDispatch();
      assertTrue(plans[0].cached());
      plans[1].plan(routing(2, 2).get(1));
      for (int r = 0; r < 2; r++) {
        world.stream(r).beginDispatch(plans[r]);
      }
      Violation violation =
          assertThrows(ViolationException.class, world::finishDispatch).violations().getFirst();
      assertEquals(Check.COUNT_BLOCK, violation.check());
    }
  }

  @Test
  void shouldNameTheRowsThatItHadNoRoomFor() {
    EpConfig config = builder().maxExpertRows(10).build();
    try (EngineWorld world = new EngineWorld(2, 1, config)) {
      world.fill(TOKENS);
      CapacityException refused =
          assertThrows(CapacityException.class, () -> world.dispatch(routing(2, 1)));
      assertTrue(refused.neededRows() > 10);
      assertTrue(refused.getMessage().contains("at least " + refused.neededRows()));
    }
  }

  @Test
  void shouldRefuseWhatExceedsTheBudget() {
    EpConfig config = builder().maxTokensPerRank(1000).memoryBudgetBytes(200_000).build();
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> new EngineWorld(2, 1, config));
    assertTrue(refused.getMessage().matches(".*at most \\d+ tokens per rank fit.*"));
  }

  @Test
  void shouldRefuseCallsOutOfTurn() {
    try (EngineWorld world = new EngineWorld(2, 1, builder().streams(2).build())) {
      EpStream stream = world.stream(0);
      assertThrows(IllegalStateException.class, stream::beginCombine);
      assertThrows(IllegalStateException.class, stream::dispatched);
      assertThrows(IllegalStateException.class, stream::stepDispatch);
    }
    try (EngineWorld world = new EngineWorld(2, 1, builder().streams(2).build())) {
      EpStream stream = world.stream(0);
      EpEngine engine = world.engines.getFirst();
      EpPlan plan = engine.newPlan();
      plan.plan(routing(2, 1).getFirst());
      stream.beginDispatch(plan);
      assertThrows(IllegalStateException.class, () -> stream.beginDispatch(plan));
      assertThrows(IllegalStateException.class, () -> engine.stream(1).beginDispatch(plan));
      assertThrows(IllegalStateException.class, () -> plan.plan(routing(2, 2).getFirst()));
      assertThrows(
          IllegalStateException.class,
          () -> stream.stage(MemorySegment.NULL, 0, MemorySegment.NULL, 0, 0));
      world.stream(1).beginDispatch(routing(2, 1).get(1));
      world.finishDispatch();
      plan.plan(routing(2, 2).getFirst());
      assertThrows(IllegalStateException.class, stream::beginCombine);
      EpPlan foreign = world.engines.get(1).newPlan();
      assertThrows(IllegalArgumentException.class, () -> stream.beginDispatch(foreign));
    }
  }

  @Test
  void shouldTakeNoMoreWorkAfterAFailure() {
    try (EngineWorld world = new EngineWorld(2, 1, builder().maxExpertRows(1).build())) {
      world.fill(TOKENS);
      List<Routing> routing = routing(2, 1);
      assertThrows(CapacityException.class, () -> world.dispatch(routing));
      EpStream broken = world.stream(0);
      IllegalStateException refused =
          assertThrows(IllegalStateException.class, () -> broken.beginDispatch(routing.getFirst()));
      assertTrue(refused.getCause() instanceof CapacityException);
    }
  }

  @ParameterizedTest
  @EnumSource(ScaleFormat.class)
  void shouldQuantiseWhileStaging(ScaleFormat scales) {
    EpConfig config =
        EpConfig.builder(EXPERTS, TOP_K, 272)
            .dtype(DType.FP8_E4M3)
            .scales(scales)
            .maxTokensPerRank(2)
            .build();
    try (EngineWorld world = new EngineWorld(1, 1, config);
        Arena arena = Arena.ofConfined()) {
      MemorySegment dense = arena.allocate(2 * 272 * 4, 16);
      for (int i = 0; i < 2 * 272; i++) {
        Elements.write(DType.FP32, dense, 0, i, (i - 200) * 0.37f);
      }
      world.stream(0).stageQuantized(DType.FP32, dense, 0, 2);
      Routing routing = Routing.of(EXPERTS, TOP_K, new int[] {0, -1, -1, 1, -1, -1}, new float[6]);
      world.dispatch(List.of(routing));
      DispatchResult result = world.stream(0).dispatched();
      MemorySegment expected = arena.allocate(272, 16);
      MemorySegment expectedScales = arena.allocate(Math.max(1, scales.bytesPerRow(272)), 16);
      for (int row = 0; row < 2; row++) {
        new BlockQuantizer(scales)
            .quantize(DType.FP32, dense, row * 1088L, 272, expected, 0, expectedScales, 0);
        assertEquals(
            -1, expected.mismatch(result.payload().asSlice(result.payloadOffset(row), 272)));
        assertEquals(
            -1,
            expectedScales
                .asSlice(0, scales.bytesPerRow(272))
                .mismatch(
                    result.scales().asSlice(result.scalesOffset(row), scales.bytesPerRow(272))));
      }
    }
  }
}
