// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli;

import dev.jgin.cli.moe.MoeJob;
import dev.jgin.cli.moe.MoeRun;
import dev.jgin.cli.report.JsonReport;
import dev.jgin.cli.report.ProgressBar;
import dev.jgin.cli.report.RunReport;
import dev.jgin.cli.report.SweepReport;
import dev.jgin.cli.report.TextReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code jgin moe}: dispatch and combine, verified, timed, or broken on purpose. */
@Command(
    name = "moe",
    description = {
      "Dispatch and combine of a mixture-of-experts layer over many contexts, on all ranks of this"
          + " process; every value is compared with a dense all-to-all.",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    footer = {
      "",
      "Exit codes: 0 nothing was wrong, 2 usage, 3 a violation or a wrong value was found, 1 anything"
          + " else.",
      "Example: jgin moe --routing deepseek-v3 --hidden 7168 --barrier fan-in-used"
    })
final class MoeCommand implements Callable<Integer> {
  @Mixin private RoutingOptions routing;
  @Mixin private ShapeOptions shape;
  @Mixin private CarrierOptions carrier;
  @Mixin private RunOptions run;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    JobFactory factory = new JobFactory(routing, shape, carrier, run);
    List<MoeJob> jobs = factory.jobs();
    return factory.isSweep() ? sweep(jobs) : single(jobs.getFirst());
  }

  private int single(MoeJob job) throws IOException {
    RunReport report = run(job);
    if (run.json) {
      out().print(JsonReport.of(report));
    } else {
      new TextReport(out()).print(report);
    }
    return report.exitCode();
  }

  private int sweep(List<MoeJob> jobs) throws IOException {
    SweepReport table = new SweepReport(out());
    List<RunReport> reports = new ArrayList<>();
    int worst = ExitCode.OK;
    if (!run.json) {
      table.head(common(jobs));
    }
    for (MoeJob job : jobs) {
      RunReport report = run(job);
      reports.add(report);
      worst = ExitCode.worse(worst, report.exitCode());
      if (!run.json) {
        table.run(report);
      }
    }
    if (run.json) {
      out().print(JsonReport.of(reports, worst));
    } else {
      table.foot(reports, worst);
    }
    return worst;
  }

  private static String common(List<MoeJob> jobs) {
    MoeJob first = jobs.getFirst();
    return """
    jgin %s moe on %s: %d runs of %d + %d iterations, all ranks in one process
    %d ranks, %d contexts, at most %d tokens per rank, hidden %d %s, audit %s, verify %s
    %s\
    """
        .formatted(
            Version.text(),
            first.fabric(),
            jobs.size(),
            first.batches().iterations(),
            first.batches().warmup(),
            first.batches().ranks(),
            first.contexts(),
            first.batches().tokensPerRank(),
            first.rows().hidden(),
            first.rows().dtype().cliName(),
            first.audit() ? "on" : "off",
            first.verify() ? "on" : "OFF",
            first.routing());
  }

  private RunReport run(MoeJob job) throws IOException {
    return MoeRun.run(job, ProgressBar.onTerminal(spec.commandLine().getErr()));
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }
}
