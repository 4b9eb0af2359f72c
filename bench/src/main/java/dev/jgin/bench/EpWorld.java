// SPDX-License-Identifier: Apache-2.0
package dev.jgin.bench;

import dev.jgin.gin.Communicator;
import dev.jgin.gin.CommunicatorOptions;
import dev.jgin.gin.DeadlineException;
import dev.jgin.gin.LocalWorld;
import dev.jgin.gin.spi.FabricSpec;
import dev.jgin.gin.spi.RankTask.Step;
import dev.jgin.moe.CombineMode;
import dev.jgin.moe.EpConfig;
import dev.jgin.moe.EpEngine;
import dev.jgin.moe.EpPlan;
import dev.jgin.moe.EpStream;
import dev.jgin.moe.Phase;
import dev.jgin.moe.numeric.DType;
import dev.jgin.moe.plan.Placement;
import dev.jgin.moe.routing.Routing;
import dev.jgin.moe.routing.RoutingGenerator;
import java.util.ArrayList;
import java.util.List;

/**
 * All ranks of an expert-parallel layer on one thread, top-8 of 256 experts, rows of BF16 written
 * in place. The four passes over the rows are apart, so that each can be timed by itself:
 *
 * <ol>
 *   <li>{@link #dispatch}: rows from the send window into the peers' receive windows;
 *   <li>{@link #epilogue}: received rows into expert-major order;
 *   <li>{@link #combine}: expert outputs into the windows of the ranks they return to;
 *   <li>{@link #reduce}: weighted sums of returned rows.
 * </ol>
 */
final class EpWorld implements AutoCloseable {
  private static final int EXPERTS = 256;
  private static final int TOP_K = 8;

  private final LocalWorld world;
  private final List<EpEngine> engines;
  private final List<EpStream> streams = new ArrayList<>();
  private final List<EpPlan> plans = new ArrayList<>();
  private final List<Routing> routings;
  private final EpConfig config;

  EpWorld(String fabric, int ranks, int contexts, int tokens, int hidden, CombineMode combine) {
    CommunicatorOptions options = CommunicatorOptions.defaults();
    this.world = LocalWorld.open(FabricSpec.parse(fabric, contexts, 1L), ranks, options);
    Routing all = RoutingGenerator.parse("uniform", EXPERTS, TOP_K).generate(ranks * tokens, 1L);
    this.routings = Routing.split(all, ranks);
    this.config =
        EpConfig.builder(EXPERTS, TOP_K, hidden)
            .dtype(DType.BF16)
            .maxTokensPerRank(tokens)
            .combine(combine)
            .maxExpertRows(mostExpertRows(all, ranks))
            .memoryBudgetBytes(Long.MAX_VALUE)
            .build();
    this.engines = world.onEachRank(comm -> EpEngine.create(comm, config));
    for (EpEngine engine : engines) {
      EpPlan plan = engine.newPlan();
      plan.plan(routings.get(engine.rank()));
      plans.add(plan);
      streams.add(engine.stream(0));
    }
  }

  /**
   * Expert rows of the rank that gets most: buffers of the worst case would not fit the machine.
   */
  private static long mostExpertRows(Routing routing, int ranks) {
    Placement placement = new Placement(EXPERTS, ranks);
    long[] loads = routing.loads();
    long most = 1;
    for (int rank = 0; rank < ranks; rank++) {
      long rows = 0;
      for (int e = placement.firstExpert(rank); e < placement.firstExpert(rank + 1); e++) {
        rows += loads[e];
      }
      most = Math.max(most, rows);
    }
    return most;
  }

  /** Pass 1. */
  void dispatch() {
    for (int r = 0; r < streams.size(); r++) {
      streams.get(r).beginDispatch(plans.get(r));
    }
    stepAll(true, Phase.WAITING);
  }

  /** Pass 2. */
  void epilogue() {
    stepAll(true, Phase.DONE);
  }

  /** Pass 3. */
  void combine() {
    for (int r = 0; r < streams.size(); r++) {
      streams.get(r).beginCombine();
    }
    stepAll(false, Phase.WAITING);
  }

  /** Pass 4. */
  void reduce() {
    stepAll(false, Phase.DONE);
  }

  /** A whole layer but for the experts. */
  void layer() {
    dispatch();
    epilogue();
    combine();
    reduce();
  }

  /** Plans every rank's routing anew. */
  void plan() {
    for (int r = 0; r < plans.size(); r++) {
      plans.get(r).plan(routings.get(r));
    }
  }

  private void stepAll(boolean dispatching, Phase until) {
    Communicator first = world.communicator(0);
    long start = first.nowNanos();
    boolean all = false;
    while (!all) {
      all = true;
      for (int r = 0; r < streams.size(); r++) {
        all &= step(streams.get(r), dispatching, until);
      }
      if (first.nowNanos() - start > first.options().timeoutNanos()) {
        throw new DeadlineException(0, "phase " + until, first.options().timeoutNanos());
      }
    }
  }

  /** Steps one rank until it has reached the phase or has to wait; whether it has reached it. */
  private static boolean step(EpStream stream, boolean dispatching, Phase until) {
    while (true) {
      Phase phase =
          dispatching ? stream.inspector().dispatchPhase() : stream.inspector().combinePhase();
      if (phase.compareTo(until) >= 0) {
        return true;
      }
      Step step = dispatching ? stream.stepDispatch() : stream.stepCombine();
      if (step == Step.WAITING) {
        return false;
      }
    }
  }

  /** Rows that all ranks send in a dispatch. */
  long sentRows() {
    return streams.stream().mapToLong(s -> s.dispatched().sentRows()).sum();
  }

  /** Expert rows of all ranks: as many return in a canonical combine. */
  long expertRows() {
    return streams.stream().mapToLong(s -> s.dispatched().rows()).sum();
  }

  /** Bytes of a payload. */
  long payloadBytes() {
    return config.payloadBytes();
  }

  /** Distance of two rows in a window. */
  long rowStride() {
    return engines.getFirst().buffers().rowStride();
  }

  @Override
  public void close() {
    engines.forEach(EpEngine::close);
    world.close();
  }
}
