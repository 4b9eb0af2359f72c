// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.moe;

import dev.jgin.cli.UsageException;
import dev.jgin.cli.Version;
import dev.jgin.cli.dump.Dump;
import dev.jgin.cli.dump.Manifest;
import dev.jgin.cli.report.ProgressBar;
import dev.jgin.cli.report.RunReport;
import dev.jgin.cli.report.Violations;
import dev.jgin.gin.Communicator;
import dev.jgin.gin.CommunicatorOptions;
import dev.jgin.gin.GinException;
import dev.jgin.gin.LocalWorld;
import dev.jgin.gin.UnsoundProtocolException;
import dev.jgin.gin.spi.FabricSpec;
import dev.jgin.moe.CapacityException;
import dev.jgin.moe.EpConfig;
import dev.jgin.moe.EpEngine;
import dev.jgin.moe.EpStream;
import dev.jgin.moe.check.ViolationException;
import dev.jgin.moe.plan.Placement;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Runs a {@link MoeJob}. */
public final class MoeRun {
  private final MoeJob job;
  private final ProgressBar bar;

  private MoeRun(MoeJob job, ProgressBar bar) {
    this.job = job;
    this.bar = bar;
  }

  /**
   * Runs {@code job} to its end or to what stopped it.
   *
   * @throws UsageException if it cannot be set up as asked for
   * @throws IOException if the dump cannot be written
   */
  public static RunReport run(MoeJob job, ProgressBar bar) throws IOException {
    return new MoeRun(job, bar).run();
  }

  private RunReport run() throws IOException {
    EpConfig config = asked(job::config);
    FabricSpec spec = asked(() -> FabricSpec.parse(job.fabric(), job.contexts(), job.seed()));
    CommunicatorOptions options =
        CommunicatorOptions.defaults()
            .withAllowUnsound(job.allowUnsound())
            .withTimeoutNanos(job.timeoutNanos());
    try (LocalWorld ranks = asked(() -> LocalWorld.open(spec, job.batches().ranks(), options))) {
      List<EpEngine> engines = asked(() -> ranks.onEachRank(c -> EpEngine.create(c, config)));
      try {
        if (job.afterConnect().isPresent()) {
          LaneHook.run(job.afterConnect().get(), ranks, job.timeoutNanos());
        }
        return run(ranks, engines, config);
      } finally {
        engines.forEach(EpEngine::close);
      }
    }
  }

  private RunReport run(LocalWorld ranks, List<EpEngine> engines, EpConfig config)
      throws IOException {
    boolean virtualTime = ranks.communicator(0).fabric().scheduler().isPresent();
    Optional<Dump> dump = beginDump(config);
    try (World world = new World(job, config, virtualTime, dump, bar)) {
      GinException stopped = drive(ranks, programs(ranks, engines, world));
      Reporter reporter = new Reporter(job, config, ranks.communicator(0), engines, world);
      RunReport report = reporter.report(violations(engines, stopped), stopped);
      // A run that stopped has not written all that the manifest would promise.
      if (dump.isPresent() && stopped == null) {
        dump.get().finish();
      }
      return report;
    } finally {
      bar.close();
      dump.ifPresent(Dump::close);
    }
  }

  private Optional<Dump> beginDump(EpConfig config) throws IOException {
    if (job.dump().isEmpty()) {
      return Optional.empty();
    }
    int ranks = job.batches().ranks();
    return Optional.of(
        Dump.begin(
            job.dump().get().folder(),
            job.dump().get().iterations(),
            new Manifest(
                Version.text(), job.fabric(), job.barrier().name(), job.seed(), ranks, config),
            config,
            new Placement(config.experts(), ranks)));
  }

  private static GinException drive(LocalWorld ranks, List<RankProgram> programs) {
    try {
      ranks.run(programs);
      return null;
    } catch (GinException e) {
      return e;
    }
  }

  private List<RankProgram> programs(LocalWorld ranks, List<EpEngine> engines, World world) {
    List<Gate> gates = new ArrayList<>();
    for (int s = 0; s < job.streams(); s++) {
      gates.add(world.gate());
    }
    List<RankProgram> programs = new ArrayList<>();
    for (int rank = 0; rank < ranks.size(); rank++) {
      Communicator communicator = ranks.communicator(rank);
      List<StreamProgram> streams = new ArrayList<>();
      for (int s = 0; s < job.streams(); s++) {
        streams.add(
            new StreamProgram(world, communicator, engines.get(rank).stream(s), gates.get(s)));
      }
      programs.add(new RankProgram(streams));
    }
    return programs;
  }

  /** Those that were collected, or those that ended the run. */
  private Violations violations(List<EpEngine> engines, GinException stopped) {
    Violations found = Violations.none();
    for (EpEngine engine : engines) {
      for (int s = 0; s < job.streams(); s++) {
        EpStream stream = engine.stream(s);
        found = found.and(stream.violations(), stream::violationCount);
      }
    }
    return stopped instanceof ViolationException e && found.total() == 0
        ? Violations.of(e.violations())
        : found;
  }

  /** Set-up: what it refuses, it refuses because of what was asked for. */
  private <T> T asked(Supplier<T> setup) {
    try {
      return setup.get();
    } catch (UnsoundProtocolException e) {
      throw new UsageException(e.getMessage() + " The option for that is --allow-unsound.", e);
    } catch (CapacityException | IllegalArgumentException e) {
      throw new UsageException(explained(e.getMessage()), e);
    } catch (OutOfMemoryError e) {
      throw noMemory(e);
    } catch (IllegalStateException e) {
      if (e.getCause() instanceof OutOfMemoryError o) {
        throw noMemory(o);
      }
      if (e.getMessage().contains("not available here")) {
        throw new UsageException(e.getMessage() + "; jgin fabrics lists those that are", e);
      }
      throw e;
    }
  }

  private UsageException noMemory(OutOfMemoryError e) {
    return new UsageException(
        "there is no memory for the buffers of "
            + job.batches().ranks()
            + " ranks ("
            + e.getMessage()
            + "): lower --tokens-per-rank, --hidden or --streams",
        e);
  }

  private String explained(String message) {
    return message.contains("memory budget")
        ? "--memory-budget %d over %d ranks is %d for each: %s"
            .formatted(job.memoryBudget(), job.batches().ranks(), job.budgetPerRank(), message)
        : message;
  }
}
