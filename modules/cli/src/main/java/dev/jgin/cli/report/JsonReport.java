// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.jgin.cli.report.RunReport.Phase;
import dev.jgin.moe.check.Violation;
import java.util.List;
import java.util.Locale;

/**
 * Runs for programs. Fields are only added within a version of the {@code schema}; times are in
 * nanoseconds, sizes in bytes; what is not known is null. Stateless.
 */
public final class JsonReport {
  /** Name and version of the document of one run. */
  public static final String SCHEMA = "jgin.moe/1";

  /** Name and version of the document of a sweep, whose {@code runs} are documents of one run. */
  public static final String SWEEP_SCHEMA = "jgin.moe.sweep/1";

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private JsonReport() {}

  /** The document of one run, ending with a line break. */
  public static String of(RunReport report) {
    return Json.text(document(report));
  }

  /** The document of a sweep, ending with a line break. */
  public static String of(List<RunReport> reports, int exitCode) {
    ObjectNode root = NODES.objectNode();
    root.put("schema", SWEEP_SCHEMA).put("exit_code", exitCode);
    ArrayNode runs = root.putArray("runs");
    reports.forEach(report -> runs.add(document(report)));
    return Json.text(root);
  }

  private static ObjectNode document(RunReport report) {
    ObjectNode root = NODES.objectNode();
    root.put("schema", SCHEMA).put("exit_code", report.exitCode()).put("stopped", report.stopped());
    root.set("setting", setting(report.setting()));
    ArrayNode phases = root.putArray("phases");
    report.phases().forEach(phase -> phases.add(phase(phase, report.setting())));
    root.set("expert_load", loads(report.experts(), "expert"));
    root.set("rank_load", loads(report.ranks(), "rank"));
    root.set("violations", violations(report.violations()));
    ObjectNode verdict = root.putObject("verification");
    verdict.put("compared", report.verdict().compared()).put("wrong", report.verdict().wrong());
    ArrayNode first = verdict.putArray("first");
    report.verdict().first().forEach(first::add);
    return root;
  }

  private static ObjectNode setting(Setting s) {
    Setting.Shape shape = s.shape();
    return NODES
        .objectNode()
        .put("version", s.version())
        .put("fabric", s.fabric())
        .put("emulated", s.emulated())
        .put("axioms", s.axioms())
        .put("clock", s.virtualTime() ? "virtual" : "real")
        .put("processors", s.processors())
        .put("barrier", s.barrier())
        .put("allow_unsound", s.allowUnsound())
        .put("not_promised", s.notPromised())
        .put("after_connect", s.afterConnect())
        .put("seed", s.seed())
        .put("ranks", shape.ranks())
        .put("contexts", shape.contexts())
        .put("streams", shape.streams())
        .put("experts", shape.experts())
        .put("topk", shape.topK())
        .put("tokens_per_rank", shape.tokensPerRank())
        .put("hidden", shape.hidden())
        .put("dtype", shape.dtype())
        .put("scales", shape.scales())
        .put("combine_dtype", shape.combineDtype())
        .put("layout", shape.layout())
        .put("align", shape.align())
        .put("combine", shape.combine())
        .put("audit", shape.audit())
        .put("routing", s.routing())
        .put("tokens", s.tokens())
        .put("iterations", s.iterations())
        .put("warmup", s.warmup())
        .put("verify", s.verify())
        .put("bytes_per_rank", s.bytesPerRank())
        .put("budget_per_rank", s.budgetPerRank());
  }

  private static ObjectNode phase(Phase phase, Setting setting) {
    ObjectNode node = NODES.objectNode();
    Percentiles time = phase.time();
    node.put("op", phase.op())
        .put("dtype", phase.dtype())
        .put("bytes", phase.bytes())
        .put("rows", phase.rows())
        .put("samples", time.count())
        .put("mean_ns", time.mean())
        .put("p50_ns", time.p50())
        .put("p90_ns", time.p90())
        .put("p99_ns", time.p99())
        .put("max_ns", time.max());
    if (setting.virtualTime() || Double.isNaN(phase.algbw())) {
      node.putNull("algbw_gb_per_s");
    } else {
      node.put("algbw_gb_per_s", phase.algbw());
    }
    if (phase.wrong() == Phase.NOT_HERE || !setting.verify()) {
      return node.putNull("wrong");
    }
    return node.put("wrong", phase.wrong());
  }

  private static ObjectNode loads(Loads loads, String place) {
    return NODES
        .objectNode()
        .put("largest", loads.largest())
        .put("largest_" + place, loads.largestAt())
        .put("smallest", loads.smallest())
        .put("smallest_" + place, loads.smallestAt())
        .put("mean", loads.mean())
        .put("skew", loads.skew());
  }

  private static ObjectNode violations(Violations violations) {
    ObjectNode node = NODES.objectNode();
    node.put("total", violations.total());
    ObjectNode bySymptom = node.putObject("by_symptom");
    violations
        .bySymptom()
        .forEach((symptom, count) -> bySymptom.put(symptom.name().toLowerCase(Locale.ROOT), count));
    ArrayNode first = node.putArray("first");
    violations.first().forEach(violation -> first.add(violation(violation)));
    return node;
  }

  private static ObjectNode violation(Violation v) {
    ObjectNode node = NODES.objectNode();
    node.put("symptom", v.symptom().name().toLowerCase(Locale.ROOT))
        .put("check", v.check().name().toLowerCase(Locale.ROOT))
        .put("rank", v.rank());
    known(node, "peer", v.peer());
    known(node, "context", v.context());
    known(node, "row", v.row());
    return node.put("expected_epoch", v.expectedEpoch())
        .put("seen_epoch", v.seenEpoch())
        .put("detail", v.detail());
  }

  private static void known(ObjectNode node, String name, long value) {
    if (value == Violation.UNKNOWN) {
      node.putNull(name);
    } else {
      node.put(name, value);
    }
  }
}
