// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.gpu;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jgin.gin.CommunicatorOptions;
import dev.jgin.gin.DeadlineException;
import dev.jgin.gin.LocalWorld;
import dev.jgin.gin.spi.FabricSpec;
import dev.jgin.gin.spi.RankTask.Step;
import dev.jgin.gpu.Gpu;
import dev.jgin.gpu.GpuContext;
import dev.jgin.moe.CapacityException;
import dev.jgin.moe.EpConfig;
import dev.jgin.moe.EpConfigBuilder;
import dev.jgin.moe.EpEngine;
import dev.jgin.moe.EpStream;
import dev.jgin.moe.check.Check;
import dev.jgin.moe.check.ViolationException;
import dev.jgin.moe.numeric.DType;
import dev.jgin.moe.numeric.ScaleFormat;
import dev.jgin.moe.routing.Routing;
import dev.jgin.moe.routing.UniformRouting;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the suite does not ask: graphs, ends, other inputs. Ranks share one GPU. */
@Tag("gpu")
class GpuEpEngineTest {
  private static final int EXPERTS = 8;
  private static final int TOP_K = 3;
  private static final int HIDDEN = 256;
  private static final int TOKENS = 20;

  private final Arena arena = Arena.ofShared();
  private final GpuContext context = Gpu.device(0).open();
  private final List<AutoCloseable> open = new ArrayList<>();

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : open.reversed()) {
      each.close();
    }
    context.close();
    arena.close();
  }

  private static EpConfigBuilder config() {
    return EpConfig.builder(EXPERTS, TOP_K, HIDDEN)
        .dtype(DType.FP32)
        .maxTokensPerRank(TOKENS)
        .timeoutNanos(2_000_000_000L);
  }

  private LocalWorld world(int ranks) {
    LocalWorld world =
        LocalWorld.open(FabricSpec.parse("emulated", 2, 1), ranks, CommunicatorOptions.defaults());
    open.add(world);
    return world;
  }

  private List<GpuEpEngine> engines(LocalWorld world, EpConfig config, DType input) {
    GpuNode node = GpuNode.of(world.size());
    open.add(node);
    GpuEpOptions options =
        GpuEpOptions.on(node).withBlocks(KernelBlocks.all(4)).withInputDtype(input);
    List<GpuEpEngine> engines =
        world.onEachRank(comm -> GpuEpEngine.create(comm, context, config, options));
    open.addAll(engines);
    return engines;
  }

  private static Routing routing(int rank) {
    return new UniformRouting(EXPERTS, TOP_K).generate(TOKENS - rank, 7 + rank);
  }

  private MemorySegment tokens(int seed) {
    SplittableRandom random = new SplittableRandom(seed);
    MemorySegment rows = arena.allocate(4L * TOKENS * HIDDEN, 16);
    for (long i = 0; i < (long) TOKENS * HIDDEN; i++) {
      rows.setAtIndex(ValueLayout.JAVA_FLOAT, i, (float) random.nextDouble(-8, 8));
    }
    return rows;
  }

  private static void finish(List<GpuEpEngine> engines, boolean dispatch) {
    boolean[] done = new boolean[engines.size()];
    for (int left = engines.size(); left > 0; ) {
      for (int r = 0; r < done.length; r++) {
        GpuEpStream on = engines.get(r).stream(0);
        if (!done[r] && (dispatch ? on.stepDispatch() : on.stepCombine()) == Step.DONE) {
          done[r] = true;
          left--;
        }
      }
    }
  }

  /** An expert that copies its input: output is what a layer brings back. */
  private static void copyExperts(GpuEpStream on) {
    long bytes = on.dispatched().rows() * HIDDEN * 4;
    on.cuda().copy(on.expertOutputAddress(), on.dispatched().payloadAddress(), bytes);
  }

  private byte[] combined(GpuEpEngine engine) {
    return engine.stream(0).readCombined(arena).toArray(ValueLayout.JAVA_BYTE);
  }

  @Test
  void shouldReplayACapturedLayerWithOtherTokens() {
    int ranks = 3;
    List<GpuEpEngine> engines = engines(world(ranks), config().build(), DType.FP32);
    List<GpuEpPlan> plans = new ArrayList<>();
    List<GpuEpLayer.Part> parts = new ArrayList<>();
    for (int r = 0; r < ranks; r++) {
      plans.add(engines.get(r).newPlan());
      plans.get(r).plan(routing(r));
      engines.get(r).stream(0).stage(tokens(r), 0, MemorySegment.NULL, 0, TOKENS - r);
      engines.get(r).stream(0).beginDispatch(plans.get(r));
    }
    finish(engines, true);
    List<Long> rows = engines.stream().map(e -> e.stream(0).dispatched().rows()).toList();
    for (int r = 0; r < ranks; r++) {
      GpuEpStream on = engines.get(r).stream(0);
      long bytes = rows.get(r) * HIDDEN * 4;
      long from = on.dispatched().payloadAddress();
      parts.add(
          new GpuEpLayer.Part(
              on, plans.get(r), () -> on.cuda().copy(on.expertOutputAddress(), from, bytes)));
    }
    GpuEpLayer layer = GpuEpLayer.capture("layer", parts);
    open.add(layer);
    for (int round = 0; round < 6; round++) {
      int seed = 100 * round;
      for (int r = 0; r < ranks; r++) {
        engines.get(r).stream(0).stage(tokens(seed + r), 0, MemorySegment.NULL, 0, TOKENS - r);
      }
      context.synchronize();
      List<byte[]> replayed = new ArrayList<>();
      layer.begin();
      while (layer.step() != Step.DONE) {
        Thread.onSpinWait();
      }
      engines.forEach(e -> replayed.add(combined(e)));
      // The same without a graph.
      for (int r = 0; r < ranks; r++) {
        engines.get(r).stream(0).beginDispatch(plans.get(r));
      }
      finish(engines, true);
      engines.forEach(e -> copyExperts(e.stream(0)));
      engines.forEach(e -> e.stream(0).beginCombine());
      finish(engines, false);
      for (int r = 0; r < ranks; r++) {
        assertArrayEquals(combined(engines.get(r)), replayed.get(r), "rank " + r);
        assertEquals(3 + 2L * round, engines.get(r).stream(0).dispatched().epoch());
      }
    }
  }

  /** Tokens of another type are quantised on the way, as the host engine stages them. */
  @Test
  void shouldQuantizeAsTheHostEngineDoes() {
    EpConfig config = config().dtype(DType.FP8_E4M3).scales(ScaleFormat.UE8M0).build();
    LocalWorld world = world(1);
    GpuEpEngine gpu = engines(world, config, DType.FP32).getFirst();
    try (EpEngine host = EpEngine.create(world.communicator(0), config)) {
      MemorySegment dense = tokens(5);
      EpStream on = host.stream(0);
      on.stageQuantized(DType.FP32, dense, 0, TOKENS);
      var expected = on.dispatch(routing(0));
      gpu.stream(0).stage(dense, 0, MemorySegment.NULL, 0, TOKENS);
      HostRows seen = gpu.stream(0).dispatch(routing(0)).toHost(arena);
      assertEquals(expected.rows(), seen.rows());
      long payload = expected.rows() * config.payloadBytes();
      assertEquals(-1, expected.payload().asSlice(0, payload).mismatch(seen.payload()));
      long scales = expected.rows() * config.scaleBytes();
      assertEquals(-1, expected.scales().asSlice(0, scales).mismatch(seen.scales()));
    }
  }

  @Test
  void shouldSayHowManyRowsWouldHaveFitted() {
    GpuEpEngine engine =
        engines(world(1), config().maxExpertRows(10).build(), DType.FP32).getFirst();
    CapacityException e =
        assertThrows(CapacityException.class, () -> engine.stream(0).dispatch(routing(0)));
    assertEquals(TOKENS * TOP_K, e.neededRows());
    assertThrows(IllegalStateException.class, () -> engine.stream(0).dispatch(routing(0)));
  }

  @Test
  void shouldNameTheRankThatHasNotBegun() {
    EpConfig config = config().timeoutNanos(50_000_000).build();
    List<GpuEpEngine> engines = engines(world(2), config, DType.FP32);
    DeadlineException e =
        assertThrows(
            DeadlineException.class, () -> engines.getFirst().stream(0).dispatch(routing(0)));
    assertTrue(e.getMessage().contains("ranks [1] have not begun it"), e::getMessage);
  }

  /** A rank that uses its cached plan alone is found by the hash of the counts. */
  @Test
  void shouldFindAPlanThatOneRankReusesAlone() {
    List<GpuEpEngine> engines = engines(world(2), config().build(), DType.FP32);
    List<GpuEpPlan> plans = engines.stream().map(GpuEpEngine::newPlan).toList();
    for (int r = 0; r < 2; r++) {
      plans.get(r).plan(routing(r));
      engines.get(r).stream(0).beginDispatch(plans.get(r));
    }
    finish(engines, true);
    plans.get(1).plan(routing(5));
    for (int r = 0; r < 2; r++) {
      engines.get(r).stream(0).beginDispatch(plans.get(r));
    }
    ViolationException e = assertThrows(ViolationException.class, () -> finish(engines, true));
    assertEquals(Check.COUNT_BLOCK, e.violations().getFirst().check());
  }

  @Test
  void shouldRefuseARoutingInDeviceMemoryThatNamesNoExpert() {
    GpuEpEngine engine = engines(world(1), config().build(), DType.FP32).getFirst();
    GpuEpStream on = engine.stream(0);
    GpuEpPlan plan = engine.newPlan();
    on.cuda().fill(plan.tokensAddress(), (byte) 0, 4);
    on.cuda().fill(plan.tokensAddress(), (byte) 2, 1);
    on.cuda().fill(plan.idsAddress(), (byte) 77, 4L * 2 * TOP_K);
    plan.planOnDevice();
    KernelException e = assertThrows(KernelException.class, () -> on.dispatch(plan));
    assertTrue(e.getMessage().contains("routing in device memory"), e::getMessage);
  }

  @Test
  void shouldRefuseToSendOnceARankIsClosed() {
    List<GpuEpEngine> engines = engines(world(2), config().build(), DType.FP32);
    engines.get(1).close();
    IllegalStateException e =
        assertThrows(
            IllegalStateException.class, () -> engines.get(0).stream(0).beginDispatch(routing(0)));
    assertTrue(e.getMessage().startsWith("rank 1 has closed its engine"), e::getMessage);
  }
}
