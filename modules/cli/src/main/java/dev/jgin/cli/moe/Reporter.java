// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.moe;

import dev.jgin.cli.Version;
import dev.jgin.cli.report.Loads;
import dev.jgin.cli.report.Percentiles;
import dev.jgin.cli.report.RunReport;
import dev.jgin.cli.report.RunReport.Phase;
import dev.jgin.cli.report.Setting;
import dev.jgin.cli.report.Violations;
import dev.jgin.gin.Communicator;
import dev.jgin.gin.FenceLevel;
import dev.jgin.gin.spi.Fabric;
import dev.jgin.moe.EpConfig;
import dev.jgin.moe.EpEngine;
import dev.jgin.moe.check.ViolationException;
import dev.jgin.moe.oracle.Mismatch;
import dev.jgin.moe.oracle.Verdict;
import dev.jgin.moe.plan.Placement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Puts together what a run found. */
final class Reporter {
  private final MoeJob job;
  private final EpConfig config;
  private final Communicator communicator;
  private final List<EpEngine> engines;
  private final World world;

  Reporter(
      MoeJob job, EpConfig config, Communicator communicator, List<EpEngine> engines, World world) {
    this.job = job;
    this.config = config;
    this.communicator = communicator;
    this.engines = engines;
    this.world = world;
  }

  RunReport report(Violations violations, RuntimeException stopped) {
    long[] loads = job.batches().loads();
    return new RunReport(
        setting(),
        phases(),
        Loads.of(loads),
        Loads.of(rankLoads(loads)),
        violations,
        verification(),
        why(stopped));
  }

  private static String why(RuntimeException stopped) {
    return switch (stopped) {
      case null -> null;
      case ViolationException _ ->
          "a run ends at its first violation unless it allows unsound ones";
      default -> stopped.getMessage();
    };
  }

  private Setting setting() {
    Batches batches = job.batches();
    return new Setting(
        Version.text(),
        job.fabric(),
        job.fabric().startsWith("emulated"),
        communicator.fabric().axioms().describe(),
        world.virtualTime,
        Runtime.getRuntime().availableProcessors(),
        job.barrier().name(),
        job.allowUnsound(),
        notPromised(),
        job.afterConnect().orElse(null),
        job.seed(),
        shape(),
        job.routing(),
        batches.tokens(),
        batches.iterations(),
        batches.warmup(),
        job.verify(),
        engines.stream().mapToLong(engine -> engine.buffers().totalBytes()).max().orElse(0),
        job.budgetPerRank());
  }

  /** Why nobody promises that this protocol is right here; null if it is. */
  private String notPromised() {
    Fabric fabric = communicator.fabric();
    return job.barrier()
        .refusal(FenceLevel.PUT, fabric.contexts(), fabric.axioms(), fabric.name())
        .orElse(null);
  }

  private Setting.Shape shape() {
    return new Setting.Shape(
        job.batches().ranks(),
        job.contexts(),
        config.streams(),
        config.experts(),
        config.topK(),
        config.maxTokensPerRank(),
        config.hidden(),
        config.dtype().cliName(),
        config.scales().name().toLowerCase(Locale.ROOT),
        config.combineDtype().cliName(),
        switch (config.layout()) {
          case EXPANDED -> "expanded";
          case ONE_ROW_PER_TOKEN -> "one-row";
        },
        config.expertAlignment(),
        config.combine().name().toLowerCase(Locale.ROOT),
        config.audit());
  }

  private List<Phase> phases() {
    String in = config.dtype().cliName();
    String out = config.combineDtype().cliName();
    long inBytes = config.payloadBytes() + config.scaleBytes();
    long dispatched = world.dispatched().wrong();
    long combined = world.combined().wrong();
    List<Phase> phases = new ArrayList<>();
    phases.add(phase(Samples.Op.DISPATCH, inBytes, in, Phase.NOT_HERE));
    phases.add(phase(Samples.Op.EPILOGUE, inBytes, in, dispatched));
    phases.add(phase(Samples.Op.COMBINE, config.combineBytes(), out, Phase.NOT_HERE));
    phases.add(phase(Samples.Op.REDUCE, config.combineBytes(), out, combined));
    double bytes = phases.stream().mapToDouble(Phase::bytes).sum();
    Phase total = phase(Samples.Op.TOTAL, 0, in, dispatched + combined);
    phases.add(new Phase(total.op(), bytes, total.rows(), in, total.time(), total.wrong()));
    return phases;
  }

  private Phase phase(Samples.Op op, long rowBytes, String dtype, long wrong) {
    double rows = world.samples.meanRows(op);
    return new Phase(
        op.name().toLowerCase(Locale.ROOT),
        rows * rowBytes,
        rows,
        dtype,
        Percentiles.of(world.samples.nanos(op)),
        wrong);
  }

  private long[] rankLoads(long[] loads) {
    Placement placement = new Placement(loads.length, job.batches().ranks());
    long[] ranks = new long[job.batches().ranks()];
    for (int e = 0; e < loads.length; e++) {
      ranks[placement.owner(e)] += loads[e];
    }
    return ranks;
  }

  private RunReport.Verification verification() {
    Verdict all = new Verdict();
    all.add(world.dispatched());
    all.add(world.combined());
    return new RunReport.Verification(
        all.compared(), all.wrong(), all.first().stream().map(Mismatch::describe).toList());
  }
}
