// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.info;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.jgin.cli.report.Json;
import dev.jgin.gin.spi.Axiom;
import dev.jgin.gin.spi.Axioms;
import dev.jgin.gin.spi.Detail;
import dev.jgin.gin.spi.DeviceDetails;
import java.util.List;

/**
 * A report for programs. Fields are only added within a version of the {@code schema}; sizes are in
 * bytes; what is not known is null; a part that was not asked for has no field.
 */
public final class InfoJson {
  /** Name and version of the document. */
  public static final String SCHEMA = "jgin.info/1";

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private InfoJson() {}

  /** The document, ending with a line break. */
  public static String of(InfoReport report) {
    ObjectNode root = NODES.objectNode().put("schema", SCHEMA);
    for (Part part : Part.values()) {
      if (report.parts().contains(part)) {
        switch (part) {
          case MACHINE -> root.set("machine", machine(report.machine()));
          case DEVICES -> {
            ArrayNode devices = root.putArray("devices");
            report.devices().forEach(seen -> devices.add(seen(seen)));
          }
          case FABRICS -> {
            ArrayNode fabrics = root.putArray("fabrics");
            report.fabrics().forEach(fabric -> fabrics.add(fabric(fabric)));
          }
          case SETTINGS -> settings(root, report);
        }
      }
    }
    return Json.text(root);
  }

  private static ObjectNode machine(Machine m) {
    return NODES
        .objectNode()
        .put("jgin", m.jgin())
        .put("java", m.java())
        .put("java_vendor", m.vendor())
        .put("java_home", m.javaHome())
        .put("os", m.os())
        .put("kernel", m.kernel())
        .put("arch", m.arch())
        .put("processors", m.processors())
        .put("memory_bytes", m.memoryBytes())
        .put("heap_bytes", m.heapBytes());
  }

  private static ObjectNode seen(InfoReport.Seen seen) {
    ObjectNode node = NODES.objectNode();
    node.put("fabric", seen.fabric()).put("not_available", seen.cause().orElse(null));
    ArrayNode devices = node.putArray("devices");
    for (DeviceDetails device : seen.devices()) {
      devices.add(details(NODES.objectNode().put("name", device.name()), device.details()));
    }
    return node;
  }

  private static ObjectNode details(ObjectNode node, List<Detail> details) {
    for (Detail detail : details) {
      switch (detail.value()) {
        case Detail.Text text -> node.put(detail.key(), text.text());
        case Detail.Count count -> node.put(detail.key(), count.number());
        case Detail.Unknown _ -> node.putNull(detail.key());
        case Detail.Rows rows -> {
          ArrayNode array = node.putArray(detail.key());
          rows.rows().forEach(row -> array.add(details(NODES.objectNode(), row)));
        }
      }
    }
    return node;
  }

  private static ObjectNode fabric(InfoReport.Promises fabric) {
    ObjectNode node = NODES.objectNode();
    node.put("fabric", fabric.fabric())
        .put("summary", fabric.summary())
        .put("not_available", fabric.cause().orElse(null));
    ArrayNode specifications = node.putArray("specifications");
    fabric.specifications().forEach(promise -> specifications.add(promise(promise)));
    return node;
  }

  private static ObjectNode promise(Promise promise) {
    ObjectNode node = NODES.objectNode().put("specification", promise.specification());
    promise
        .axioms()
        .ifPresentOrElse(
            axioms -> axioms(node, axioms),
            () -> node.putNull("promises").putNull("axioms").putNull("granule_bytes"));
    ArrayNode protocols = node.putArray("protocols");
    for (Promise.Verdict verdict : promise.verdicts()) {
      protocols
          .addObject()
          .put("protocol", verdict.protocol().name())
          .put("fence", Promise.FENCE.name())
          .put("contexts", verdict.contexts())
          .put("sound", verdict.refusal().isEmpty())
          .put("refusal", verdict.refusal().orElse(null));
    }
    return node;
  }

  private static void axioms(ObjectNode node, Axioms axioms) {
    node.put("promises", axioms.describe());
    ArrayNode labels = node.putArray("axioms");
    axioms.promised().stream().sorted().map(Axiom::label).forEach(labels::add);
    node.put("granule_bytes", axioms.granuleBytes());
  }

  private static void settings(ObjectNode root, InfoReport report) {
    ArrayNode settings = root.putArray("settings");
    for (Settings.Value setting : report.settings()) {
      settings
          .addObject()
          .put("name", setting.name())
          .put("value", setting.value().orElse(null))
          .put("origin", setting.origin().words())
          .put("default", setting.unset())
          .put("meaning", setting.meaning());
    }
    ArrayNode unknown = root.putArray("unknown_settings");
    for (Settings.Unknown setting : report.unknown()) {
      unknown
          .addObject()
          .put("name", setting.name())
          .put("value", setting.value())
          .put("origin", setting.origin().words())
          .put("meant", setting.meant().orElse(null));
    }
  }
}
