// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.perf;

import dev.jgin.cli.MachineMemory;
import dev.jgin.cli.UsageException;
import dev.jgin.cli.Version;
import dev.jgin.cli.perf.loop.BarrierRounds;
import dev.jgin.cli.perf.loop.Extent;
import dev.jgin.cli.perf.loop.Findings;
import dev.jgin.cli.perf.loop.Loop;
import dev.jgin.cli.perf.loop.Slots;
import dev.jgin.cli.perf.loop.Together;
import dev.jgin.cli.perf.report.PerfOutput;
import dev.jgin.cli.perf.report.PerfResult;
import dev.jgin.cli.perf.report.PerfSetting;
import dev.jgin.gin.BarrierProtocol;
import dev.jgin.gin.CommunicatorOptions;
import dev.jgin.gin.GinException;
import dev.jgin.gin.LocalWorld;
import dev.jgin.gin.spi.Fabric;
import dev.jgin.gin.spi.FabricSpec;
import java.util.List;
import java.util.stream.IntStream;

/** Runs a {@link PerfJob}. */
final class PerfRun {
  private static final int CHECKED = 16;
  private static final int CHUNK = 20;
  private static final int CHUNK_OF_A_STREAM = 500;

  private final PerfJob job;
  private final PerfOutput output;
  private final Waiting waiting;
  private final Together together;
  private final Findings findings = new Findings();

  private PerfRun(PerfJob job, PerfOutput output) {
    this.job = job;
    this.output = output;
    this.waiting = job.waiting().resolved(job.ranks(), processors());
    this.together = new Together(waiting.strategy());
  }

  private static int processors() {
    return Runtime.getRuntime().availableProcessors();
  }

  /**
   * Runs {@code job} to its end or to what stopped it.
   *
   * @throws UsageException if it cannot be set up as asked for
   */
  static PerfResult run(PerfJob job, PerfOutput output) {
    return new PerfRun(job, output).run();
  }

  private PerfResult run() {
    Loops.requireMemory(job, MachineMemory.half());
    FabricSpec spec = Setup.asked(() -> FabricSpec.parse(job.fabric(), job.contexts(), job.seed()));
    CommunicatorOptions options =
        CommunicatorOptions.defaults()
            .withAllowUnsound(job.allowUnsound())
            .withTimeoutNanos(job.timeoutNanos())
            .withWaiting(together);
    try (LocalWorld world = Setup.asked(() -> LocalWorld.open(spec, job.ranks(), options))) {
      Fabric fabric = world.communicator(0).fabric();
      Setup.check(job, fabric);
      int depth = Setup.depth(job, fabric);
      List<Series> series = series(world, depth);
      output.begin(setting(world, spec, depth));
      String stopped = measure(series, depth);
      PerfResult result =
          new PerfResult(findings.compared(), findings.wrong(), findings.first(), stopped);
      output.end(result);
      return result;
    }
  }

  /** Loops that share one table: those of one protocol, or of all sizes. */
  private List<Series> series(LocalWorld world, int depth) {
    if (job.test() != PerfTest.BARRIER_LAT) {
      return List.of(new Series("", Setup.asked(() -> Loops.of(job, world, depth))));
    }
    return job.barriers().stream().map(protocol -> barrierSeries(world, protocol)).toList();
  }

  private Series barrierSeries(LocalWorld world, BarrierProtocol protocol) {
    return new Series(
        protocol.name(),
        Setup.asked(() -> world.onEachRank(comm -> new BarrierRounds(comm, protocol, job.puts()))));
  }

  private record Series(String label, List<? extends Loop> loops) {}

  private String measure(List<Series> all, int depth) {
    try {
      int index = 0;
      for (Series series : all) {
        for (long bytes : job.sizes()) {
          measure(series, bytes, index++, depth);
        }
      }
      return null;
    } catch (GinException e) {
      return e.getMessage();
    } catch (IllegalArgumentException e) {
      // What a carrier refuses of a message, it refuses because of what was asked for.
      throw new UsageException(e.getMessage(), e);
    }
  }

  private void measure(Series series, long bytes, int index, int depth) {
    List<? extends Loop> loops = series.loops;
    loops.forEach(loop -> loop.begin(bytes));
    together.run(job.ranks(), rank -> loops.get(rank).check(CHECKED, findings));
    Measurement measurement = new Measurement(job, series.label, bytes);
    long warmup = job.effort().warmup(index);
    Extent extent = measurement.extent();
    together.run(
        job.ranks(),
        rank -> {
          warmUp(loops.get(rank), warmup, measurement, rank);
          loops.get(rank).rounds(extent, measurement.posted(rank), measurement.completed(rank));
        });
    together.run(job.ranks(), rank -> loops.get(rank).finish(findings));
    output.row(measurement.row(depth == 0 ? 0 : Slots.depth(job.contexts(), depth, bytes)));
  }

  /** In many short runs, so that the compiler sees what it will be asked to run once. */
  private void warmUp(Loop loop, long rounds, Measurement measurement, int rank) {
    int chunk = job.depth() > 0 ? CHUNK_OF_A_STREAM : CHUNK;
    for (long left = rounds; left > 0; left -= chunk) {
      Extent some = Extent.ofRounds(Math.min(left, chunk));
      loop.rounds(some, measurement.posted(rank), measurement.completed(rank));
      measurement.posted(rank).clear();
      measurement.completed(rank).clear();
    }
  }

  private PerfSetting setting(LocalWorld world, FabricSpec spec, int depth) {
    Fabric fabric = world.communicator(0).fabric();
    return new PerfSetting(
        Version.text(),
        job.test().label(),
        job.test().measures(),
        fabric.name(),
        spec.provider().equals("emulated"),
        fabric.axioms().describe(),
        IntStream.range(0, job.ranks())
            .mapToObj(rank -> world.communicator(rank).fabric().describe())
            .toList(),
        job.ranks(),
        job.contexts(),
        depth,
        job.puts(),
        job.effort().iterations(),
        job.effort().seconds(),
        job.effort().warmup(),
        waiting.describe(),
        processors(),
        job.seed(),
        job.allowUnsound());
  }
}
