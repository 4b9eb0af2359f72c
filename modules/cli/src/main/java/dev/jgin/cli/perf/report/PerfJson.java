// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.perf.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.jgin.cli.report.Json;
import java.io.PrintWriter;

/**
 * A run for programs, one document printed at the end. Fields are only added within a version of
 * the {@code schema}; times are in nanoseconds, sizes in bytes; what is not known is null. {@code
 * mb_per_s} is in 2^20 bytes as in the table, {@code gb_per_s} in 10^9.
 */
public final class PerfJson implements PerfOutput {
  /** Name and version of the document. */
  public static final String SCHEMA = "jgin.perf/1";

  private final PrintWriter out;
  private final Samples samples;
  private final ObjectNode root = JsonNodeFactory.instance.objectNode();
  private final ArrayNode rows = JsonNodeFactory.instance.arrayNode();

  /** A document that goes to {@code out}. */
  public PerfJson(PrintWriter out, Samples samples) {
    this.out = out;
    this.samples = samples;
  }

  @Override
  public void begin(PerfSetting s) {
    root.put("schema", SCHEMA).putNull("exit_code").putNull("stopped");
    root.put("test", s.test());
    ObjectNode setting = root.putObject("setting");
    setting
        .put("version", s.version())
        .put("measures", s.measures())
        .put("fabric", s.fabric())
        .put("emulated", s.emulated())
        .put("axioms", s.axioms())
        .put("ranks", s.ranks())
        .put("contexts", s.contexts());
    ArrayNode lanes = setting.putArray("lanes");
    s.lanes().forEach(lanes::add);
    if (s.depth() == 0) {
      setting.putNull("tx_depth");
    } else {
      setting.put("tx_depth", s.depth());
    }
    setting
        .put("puts", s.puts())
        .put("iterations", s.seconds() > 0 ? null : s.iterations())
        .put("seconds", s.seconds() > 0 ? s.seconds() : null)
        .put("warmup", s.warmup())
        .put("waiting", s.waiting())
        .put("processors", s.processors())
        .put("seed", s.seed())
        .put("allow_unsound", s.allowUnsound());
    root.set("rows", rows);
  }

  @Override
  public void row(PerfRow row) {
    ObjectNode node = rows.addObject();
    if (row.label().isEmpty()) {
      node.put("bytes", row.bytes());
    } else {
      node.put("protocol", row.label());
    }
    node.put("iterations", row.iterations());
    switch (row.figures()) {
      case PerfRow.Lat(Latency l, Times times) -> {
        node.put("min_ns", l.min())
            .put("max_ns", l.max())
            .put("typical_ns", l.typical())
            .put("avg_ns", l.avg())
            .put("stdev_ns", l.stdev())
            .put("p99_ns", l.p99())
            .put("p999_ns", l.p999());
        if (samples != Samples.NONE) {
          ArrayNode list = node.putArray("samples_ns");
          for (double nanos : times.nanos(samples)) {
            list.add(nanos);
          }
        }
      }
      case PerfRow.Bw(Bandwidth b, long depth) -> {
        node.put("outstanding", depth);
        rate(node, "peak", b.peak());
        rate(node, "average", b.average());
        node.put("messages_per_s", b.messages());
      }
    }
  }

  private static void rate(ObjectNode node, String name, double bytesPerSecond) {
    boolean known = !Double.isNaN(bytesPerSecond);
    node.put(name + "_mb_per_s", known ? Double.valueOf(bytesPerSecond / Bandwidth.MB) : null);
    node.put(name + "_gb_per_s", known ? Double.valueOf(bytesPerSecond / 1e9) : null);
  }

  @Override
  public void end(PerfResult result) {
    root.put("exit_code", result.exitCode()).put("stopped", result.stopped());
    ObjectNode verdict = root.putObject("verification");
    verdict.put("compared", result.compared()).put("wrong", result.wrong());
    ArrayNode first = verdict.putArray("first");
    result.first().forEach(first::add);
    out.print(Json.text(root));
    out.flush();
  }
}
