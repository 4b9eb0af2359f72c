// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.report;

import dev.jgin.cli.report.RunReport.Phase;
import dev.jgin.moe.check.Symptom;
import java.io.PrintWriter;
import java.util.Locale;

/**
 * A run for people, in the shape of nccl-tests: comment lines begin with {@code #}, the others are
 * rows of the table.
 */
public final class TextReport {
  private static final Locale PLAIN = Locale.ROOT;

  private final PrintWriter out;

  /** A report that goes to {@code out}. */
  public TextReport(PrintWriter out) {
    this.out = out;
  }

  /** Prints the whole report. */
  public void print(RunReport report) {
    banner(report.setting());
    table(report);
    percentiles(report);
    loads(report);
    violations(report.violations());
    conclusion(report);
    out.flush();
  }

  private void banner(Setting s) {
    Setting.Shape shape = s.shape();
    line("# jgin %s moe", s.version());
    line(
        "# fabric   %s: %sall ranks in one process; promises %s",
        s.fabric(), s.emulated() ? "EMULATED, no network, " : "", s.axioms());
    line(
        "# team     %d ranks, %d contexts, barrier %s%s, %d stream%s, audit %s",
        shape.ranks(),
        shape.contexts(),
        s.barrier(),
        s.allowUnsound() ? " (unsound ones allowed)" : "",
        shape.streams(),
        shape.streams() == 1 ? "" : "s",
        shape.audit() ? "on" : "off");
    line(
        "# layer    %d experts, top-%d, hidden %d %s%s, %s rows aligned to %d, combine %s in %s",
        shape.experts(),
        shape.topK(),
        shape.hidden(),
        shape.dtype(),
        shape.scales().equals("none") ? "" : " with " + shape.scales() + " scales",
        shape.layout(),
        shape.align(),
        shape.combine(),
        shape.combineDtype());
    if (s.afterConnect() != null) {
      line("# lanes    after connecting: %s", s.afterConnect().replace("\n", "\n#          "));
    }
    line("# routing  %s", s.routing());
    line(
        "# run      %d iterations of at most %d tokens per rank (%d tokens in all), %d to warm up,"
            + " seed %d, verify %s",
        s.iterations(),
        shape.tokensPerRank(),
        s.tokens(),
        s.warmup(),
        s.seed(),
        s.verify() ? "on" : "OFF");
    line(
        "# memory   %s per rank of at most %s, %s in all",
        Units.bytes(s.bytesPerRank()),
        Units.bytes(s.budgetPerRank()),
        Units.bytes(s.bytesPerRank() * shape.ranks()));
    if (s.virtualTime()) {
      line("# time     VIRTUAL: the simulated carrier's clock; it says nothing about throughput");
    } else {
      line(
          "# time     real, of this process: %d ranks take turns on at most %d processors, and a time"
              + " includes the turns of other ranks",
          shape.ranks(), s.processors());
    }
    line("#");
  }

  private void table(RunReport report) {
    boolean virtual = report.setting().virtualTime();
    line(
        "#%14s %12s %7s %10s %12s %9s %9s",
        "size", "count", "type", "op", "time", "algbw", "#wrong");
    line(
        "#%14s %12s %7s %10s %12s %9s %9s",
        "(B)", "(rows)", "", "", virtual ? "(virtual us)" : "(us)", "(GB/s)", "(values)");
    for (Phase phase : report.phases()) {
      line(
          "%15.0f %12.0f %7s %10s %12s %9s %9s",
          phase.bytes(),
          phase.rows(),
          phase.dtype(),
          phase.op(),
          phase.time().count() == 0 ? "-" : Units.micros(phase.time().mean()),
          virtual || Double.isNaN(phase.algbw())
              ? "-"
              : String.format(PLAIN, "%.2f", phase.algbw()),
          wrong(report, phase));
    }
    line(
        "# Sizes, counts and times are means over iterations; a time is that of the slowest rank.");
    line(
        "# Dispatched values are compared behind the epilogue, combined ones behind the reduction.");
  }

  private static String wrong(RunReport report, Phase phase) {
    return phase.wrong() == Phase.NOT_HERE || !report.setting().verify()
        ? "-"
        : Long.toString(phase.wrong());
  }

  private void percentiles(RunReport report) {
    line("#");
    line(
        "# %-22s %12s %12s %12s %12s",
        report.setting().virtualTime() ? "time (virtual us)" : "time (us)",
        "p50",
        "p90",
        "p99",
        "max");
    for (Phase phase : report.phases()) {
      Percentiles time = phase.time();
      line(
          "# %-22s %12s %12s %12s %12s",
          phase.op(),
          Units.micros(time.p50()),
          Units.micros(time.p90()),
          Units.micros(time.p99()),
          Units.micros(time.max()));
    }
  }

  private void loads(RunReport report) {
    line("#");
    load("expert load (tokens)", "expert", report.experts());
    load("rank load (rows)", "rank", report.ranks());
  }

  private void load(String what, String place, Loads loads) {
    line(
        "# %-22s largest %d (%s %d), smallest %d (%s %d), mean %.1f, skew %.2f",
        what,
        loads.largest(),
        place,
        loads.largestAt(),
        loads.smallest(),
        place,
        loads.smallestAt(),
        loads.mean(),
        loads.skew());
  }

  private void violations(Violations violations) {
    line("#");
    line("# %-22s %12s", "violations", "count");
    for (Symptom symptom : Symptom.values()) {
      line("# %-22s %12d", symptom.name(), violations.bySymptom().get(symptom));
    }
    line("# %-22s %12d", "all", violations.total());
    violations.first().forEach(violation -> line("#   %s", violation.describe()));
    if (violations.total() > violations.first().size()) {
      line("#   and %d more", violations.total() - violations.first().size());
    }
  }

  private void conclusion(RunReport report) {
    line("#");
    report.verdict().first().forEach(mismatch -> line("# wrong: %s", mismatch));
    if (report.stopped() != null) {
      line("# STOPPED EARLY: %s", report.stopped().replace("\n", "\n# "));
    }
    long wrong = report.verdict().wrong();
    long found = report.violations().total();
    String compared =
        report.setting().verify()
            ? "%d values compared bit by bit".formatted(report.verdict().compared())
            : "NOTHING WAS COMPARED (--verify off)";
    if (wrong > 0 || found > 0) {
      line("# FAILED: %d violations, %d wrong values; %s", found, wrong, compared);
    } else if (report.stopped() == null) {
      line("# OK: no violation, #wrong 0; %s", compared);
      if (report.luck()) {
        line("# SEEN, NOT PROMISED: %s", report.setting().notPromised());
      }
    }
  }

  // The annotation it asks for is Error Prone's own, on which nothing here depends.
  @SuppressWarnings("AnnotateFormatMethod")
  private void line(String format, Object... arguments) {
    out.println(String.format(PLAIN, format, arguments).stripTrailing());
  }
}
