// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.perf.report;

import java.io.PrintWriter;
import java.util.Locale;

/**
 * A run for people and for programs that read perftest's tables: the header line and the rows have
 * perftest's columns in its units, everything else is behind a {@code #} in the first column.
 *
 * <p>In such tables MB/sec is 2^20 bytes per second (newer releases of perftest write MiB/sec).
 */
public final class PerfText implements PerfOutput {
  private static final String[] LATENCY = {
    "#iterations",
    "t_min[usec]",
    "t_max[usec]",
    "t_typical[usec]",
    "t_avg[usec]",
    "t_stdev[usec]",
    "99% percentile[usec]",
    "99.9% percentile[usec]"
  };
  private static final String[] BANDWIDTH = {
    "#iterations", "BW peak[MB/sec]", "BW average[MB/sec]", "MsgRate[Mpps]"
  };

  private final PrintWriter out;
  private final Samples samples;
  private PerfSetting setting;

  /** A table that goes to {@code out}. */
  public PerfText(PrintWriter out, Samples samples) {
    this.out = out;
    this.samples = samples;
  }

  @Override
  public void begin(PerfSetting s) {
    setting = s;
    line("# jgin %s perf %s", s.version(), s.test());
    line("# measures %s", s.measures());
    line(
        "# fabric   %s: %sall ranks in one process; promises %s%s",
        s.fabric(),
        s.emulated() ? "EMULATED, no network, " : "",
        s.axioms(),
        s.allowUnsound() ? " (MAY BE UNSOUND: --allow-unsound)" : "");
    for (int rank = 0; rank < s.lanes().size(); rank++) {
      // A carrier that knows no more than its name says that.
      if (!s.lanes().get(rank).equals(s.fabric())) {
        line("# rank %-4d %s", rank, s.lanes().get(rank));
      }
    }
    line(
        "# run      %d ranks, %d context%s%s, %s, %d to warm up, seed %d",
        s.ranks(),
        s.contexts(),
        s.contexts() == 1 ? "" : "s",
        s.depth() == 0 ? "" : ", at most " + s.depth() + " puts outstanding on each",
        s.seconds() > 0 ? s.seconds() + " s" : s.iterations() + " iterations",
        s.warmup(),
        s.seed());
    line(
        "# time     System.nanoTime; a thread for each rank, %s, on %d processor%s",
        s.waiting(), s.processors(), s.processors() == 1 ? "" : "s");
    if (s.depth() > 0) {
      line("# units    MB is 2^20 bytes, Mpps 10^6 messages per second");
    }
    line("#");
    head();
    out.flush();
  }

  private boolean byProtocol() {
    return setting.test().equals("barrier_lat");
  }

  private void head() {
    StringBuilder head = new StringBuilder(byProtocol() ? " %-26s" : " %-10s");
    String[] columns = setting.depth() > 0 ? BANDWIDTH : LATENCY;
    for (String _ : columns) {
      head.append(" %s  ");
    }
    Object[] cells = new Object[columns.length + 1];
    cells[0] = byProtocol() ? "#protocol" : "#bytes";
    System.arraycopy(columns, 0, cells, 1, columns.length);
    out.println(String.format(Locale.ROOT, head.toString(), cells).stripTrailing());
  }

  @Override
  public void row(PerfRow row) {
    if (row.figures() instanceof PerfRow.Lat(Latency _, Times times) && samples != Samples.NONE) {
      print(times.nanos(samples));
    }
    String first =
        byProtocol()
            ? String.format(Locale.ROOT, " %-26s", row.label())
            : String.format(Locale.ROOT, " %-10d", row.bytes());
    StringBuilder line = new StringBuilder(first);
    switch (row.figures()) {
      case PerfRow.Lat(Latency l, Times _) -> {
        cell(line, LATENCY[0], Long.toString(row.iterations()));
        double[] nanos = {l.min(), l.max(), l.typical(), l.avg(), l.stdev(), l.p99(), l.p999()};
        for (int i = 0; i < nanos.length; i++) {
          cell(line, LATENCY[i + 1], number("%.3f", nanos[i] / 1000));
        }
      }
      case PerfRow.Bw(Bandwidth b, long _) -> {
        cell(line, BANDWIDTH[0], Long.toString(row.iterations()));
        cell(
            line,
            BANDWIDTH[1],
            number("%.2f", Double.isNaN(b.peak()) ? 0 : b.peak() / Bandwidth.MB));
        cell(line, BANDWIDTH[2], number("%.2f", b.average() / Bandwidth.MB));
        cell(line, BANDWIDTH[3], number("%.6f", b.messages() / 1e6));
      }
    }
    out.println(line.toString().stripTrailing());
    out.flush();
  }

  private static String number(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }

  private static void cell(StringBuilder line, String column, String text) {
    line.append(' ')
        .append(text)
        .append(" ".repeat(Math.max(2, column.length() + 2 - text.length())));
  }

  private void print(double[] nanos) {
    out.println("#, usec");
    for (int i = 0; i < nanos.length; i++) {
      out.println((i + 1) + ", " + number("%.3f", nanos[i] / 1000));
    }
  }

  @Override
  public void end(PerfResult result) {
    line("#");
    result.first().forEach(sentence -> line("# wrong: %s", sentence));
    if (result.stopped() != null) {
      line("# STOPPED EARLY: %s", result.stopped().replace("\n", "\n# "));
    }
    if (result.wrong() > 0) {
      line("# FAILED: #wrong %d of %d values compared", result.wrong(), result.compared());
    } else if (result.stopped() == null) {
      line("# OK: #wrong 0 of %d values compared", result.compared());
    }
    out.flush();
  }

  // The annotation it asks for is Error Prone's own, on which nothing here depends.
  @SuppressWarnings("AnnotateFormatMethod")
  private void line(String format, Object... arguments) {
    out.println(String.format(Locale.ROOT, format, arguments).stripTrailing());
  }
}
