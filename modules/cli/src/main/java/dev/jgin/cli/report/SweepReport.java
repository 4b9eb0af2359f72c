// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.report;

import dev.jgin.moe.check.Symptom;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Many runs as one Markdown table, a row as soon as a run has ended. */
public final class SweepReport {
  private final PrintWriter out;

  /** A table that goes to {@code out}. */
  public SweepReport(PrintWriter out) {
    this.out = out;
  }

  /** Prints what all runs have in common and the head of the table. */
  public void head(String common) {
    out.println(common);
    out.println();
    List<String> names =
        Stream.concat(
                Stream.of("fabric", "barrier", "seed", "exit", "#wrong"),
                Stream.of(Symptom.values()).map(Symptom::label))
            .toList();
    out.println(row(names));
    out.println(row(names.stream().map(_ -> "---").toList()));
    out.flush();
  }

  /** Prints the row of one run. */
  public void run(RunReport report) {
    Setting setting = report.setting();
    Stream<String> counts =
        Stream.of(Symptom.values())
            .map(symptom -> report.violations().bySymptom().get(symptom).toString());
    out.println(
        row(
            Stream.concat(
                    Stream.of(
                        setting.fabric(),
                        setting.barrier(),
                        Long.toString(setting.seed()),
                        Integer.toString(report.exitCode()),
                        setting.verify() ? Long.toString(report.verdict().wrong()) : "-"),
                    counts)
                .toList()));
    out.flush();
  }

  /** Prints what all runs together found. */
  public void foot(List<RunReport> reports, int exitCode) {
    long caught = reports.stream().filter(r -> r.violations().total() > 0).count();
    long wrong = reports.stream().filter(r -> r.verdict().wrong() > 0).count();
    out.println();
    out.println(
        String.format(
            Locale.ROOT,
            "%d runs: violations in %d, wrong values in %d, stopped early %d; exit %d",
            reports.size(),
            caught,
            wrong,
            reports.stream().filter(r -> r.stopped() != null).count(),
            exitCode));
    reports.stream()
        .filter(report -> report.stopped() != null)
        .forEach(report ->
            out.println(
                report.setting().barrier()
                    + ", seed "
                    + report.setting().seed()
                    + " stopped early: "
                    + report.stopped()));
    reports.stream()
        .filter(RunReport::luck)
        .map(report ->
            report.setting().barrier()
                + ", nothing wrong seen, and not promised: "
                + report.setting().notPromised())
        .distinct()
        .forEach(out::println);
    out.flush();
  }

  private static String row(List<String> cells) {
    return cells.stream().collect(Collectors.joining(" | ", "| ", " |"));
  }
}
