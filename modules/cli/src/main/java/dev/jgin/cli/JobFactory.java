// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli;

import dev.jgin.cli.moe.Batches;
import dev.jgin.cli.moe.MoeJob;
import dev.jgin.gin.BarrierProtocol;
import dev.jgin.gin.spi.FabricSpec;
import dev.jgin.moe.EpConfig;
import dev.jgin.moe.ExpertLayout;
import dev.jgin.moe.numeric.DType;
import dev.jgin.moe.plan.Placement;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Turns options into jobs, or says which option is wrong and what it may be. */
final class JobFactory {
  private static final long DEFAULT_SEED = 1;
  private static final int MAX_ITERATIONS = 10_000_000;

  private final RoutingSource source;
  private final RoutingOptions routing;
  private final ShapeOptions shape;
  private final CarrierOptions carrier;
  private final RunOptions run;
  private final List<BarrierProtocol> barriers;
  private final List<Long> seeds;

  /**
   * @throws UsageException if an option is wrong
   */
  JobFactory(RoutingOptions routing, ShapeOptions shape, CarrierOptions carrier, RunOptions run) {
    this.shape = shape;
    this.carrier = carrier;
    this.run = run;
    Numbers.requireIn("--ranks", carrier.ranks, 1, Placement.MAX_RANKS);
    Numbers.requireIn("--contexts", carrier.contexts, 1, FabricSpec.MAX_CONTEXTS);
    Numbers.requireIn("--warmup", run.warmup, 0, MAX_ITERATIONS);
    Numbers.requireIn("--streams", run.streams, 1, EpConfig.MAX_STREAMS);
    Numbers.requireIn("--align", shape.align, 1, 1 << 20);
    if (run.iterations != null) {
      Numbers.requireIn("--iterations", run.iterations, 1, MAX_ITERATIONS);
    }
    this.barriers = Choices.barriers("--barrier", carrier.barrier);
    this.seeds = seeds(run);
    requireDump();
    Numbers.requireRatio("--masked", routing.masked);
    this.routing = routing;
    this.source = RoutingSource.of(routing);
  }

  private static List<Long> seeds(RunOptions run) {
    if (run.seed != null && run.seeds != null) {
      throw new UsageException(
          "--seed %d and --seeds %s: give one of them".formatted(run.seed, run.seeds));
    }
    return run.seeds != null
        ? Seeds.parse("--seeds", run.seeds)
        : List.of(run.seed != null ? run.seed : DEFAULT_SEED);
  }

  private void requireDump() {
    if (run.dump == null) {
      return;
    }
    Numbers.requireIn("--dump-iterations", run.dumpIterations, 1, MAX_ITERATIONS);
    if (isSweep()) {
      throw new UsageException("--dump goes with one run: give one --barrier and one --seed");
    }
    // Said here and not after an hour: the run itself looks again.
    if (Files.exists(run.dump)) {
      throw new UsageException(
          "--dump " + run.dump + ": it exists; name a folder that does not, or remove it first");
    }
  }

  /** Whether there are several runs, or may be: they are reported as a table. */
  boolean isSweep() {
    return run.seeds != null || barriers.size() > 1;
  }

  /** The jobs: for each protocol one for each seed. */
  List<MoeJob> jobs() {
    List<MoeJob> jobs = new ArrayList<>();
    for (BarrierProtocol barrier : barriers) {
      for (long seed : seeds) {
        jobs.add(job(barrier, seed));
      }
    }
    return jobs;
  }

  private MoeJob job(BarrierProtocol barrier, long seed) {
    return new MoeJob(
        describeRouting(),
        batches(seed),
        rows(),
        carrier.contexts,
        carrier.fabric(barrier),
        barrier,
        carrier.allowUnsound,
        run.streams,
        carrier.audit,
        seed,
        memoryBudget(),
        Quantities.nanos("--timeout", carrier.timeout),
        Choices.onOff("--verify", run.verify),
        Optional.ofNullable(run.dump).map(dump -> new MoeJob.Dump(dump, run.dumpIterations)),
        Optional.ofNullable(carrier.afterConnect));
  }

  private String describeRouting() {
    return source.describe()
        + (routing.masked > 0 ? ", " + routing.masked + " of tokens and of lanes masked" : "")
        + (routing.uneven ? ", ranks uneven" : "");
  }

  private Batches batches(long seed) {
    Batches batches =
        source.batches(carrier.ranks, run.tokensPerRank, run.warmup, run.iterations, seed);
    if (routing.masked > 0) {
      batches = batches.masked(routing.masked, seed);
    }
    try {
      return routing.uneven ? batches.uneven(seed) : batches;
    } catch (IllegalArgumentException e) {
      throw new UsageException("--uneven: " + e.getMessage(), e);
    }
  }

  private MoeJob.Rows rows() {
    DType dtype = Choices.dtype("--dtype", shape.dtype);
    ExpertLayout layout = Choices.layout("--layout", shape.layout);
    return new MoeJob.Rows(
        shape.hidden,
        dtype,
        Choices.scales("--scales", shape.scales, dtype),
        layout,
        shape.align,
        Choices.combine("--combine", shape.combine, layout));
  }

  private long memoryBudget() {
    return carrier.memoryBudget == null
        ? MachineMemory.half()
        : Quantities.bytes("--memory-budget", carrier.memoryBudget);
  }
}
