// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.doctor;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.jgin.cli.report.Json;

/**
 * Findings for programs. Fields are only added within a version of the {@code schema}; {@code
 * disables} and {@code remedy} are null where a thing is here.
 */
public final class DoctorJson {
  /** Name and version of the document. */
  public static final String SCHEMA = "jgin.doctor/1";

  private DoctorJson() {}

  /** The document, ending with a line break. */
  public static String of(Examination examination) {
    ObjectNode root = JsonNodeFactory.instance.objectNode().put("schema", SCHEMA);
    ArrayNode findings = root.putArray("findings");
    for (Finding finding : examination.findings()) {
      boolean ok = finding.status() == Status.OK;
      findings
          .addObject()
          .put("name", finding.name())
          .put("status", finding.status().name())
          .put("value", finding.value())
          .put("disables", ok ? null : finding.disables())
          .put("remedy", ok ? null : finding.remedy());
    }
    root.put("ok", examination.count(Status.OK))
        .put("missing", examination.count(Status.MISSING))
        .put("unknown", examination.count(Status.UNKNOWN));
    return Json.text(root);
  }
}
