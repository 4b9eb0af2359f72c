// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.jgin.cli.Command;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

class DoctorFormTest {
  private static final Examination SAMPLE =
      Examination.by(
          List.of(
              () -> List.of(Finding.ok("gpu.driver", "580")),
              () ->
                  List.of(
                      Finding.missing("kernels", "none\nat all", "everything", "build them"),
                      Finding.unknown("pcie.acs", "no", "nothing", "ask root"))));

  @Test
  void shouldPrintOneLineForEachFinding() {
    StringWriter text = new StringWriter();
    DoctorText.print(SAMPLE, new PrintWriter(text));
    assertEquals(
        List.of(
            "OK       gpu.driver  580",
            "MISSING  kernels     none at all; disables everything; remedy: build them",
            "UNKNOWN  pcie.acs    no; disables nothing; remedy: ask root",
            "1 OK, 1 MISSING, 1 UNKNOWN"),
        text.toString().lines().toList());
  }

  @Test
  void shouldWriteADocument() throws IOException {
    JsonNode root = new ObjectMapper().readTree(DoctorJson.of(SAMPLE));
    assertEquals("jgin.doctor/1", root.get("schema").asText());
    assertEquals(3, root.get("findings").size());
    assertTrue(root.get("findings").get(0).get("remedy").isNull());
    assertEquals("MISSING", root.get("findings").get(1).get("status").asText());
    assertEquals(1, root.get("missing").asInt());
  }

  @Test
  void shouldHoldFindingsToTheirForm() {
    assertThrows(IllegalArgumentException.class, () -> Finding.ok("GPU driver", "580"));
    assertThrows(IllegalArgumentException.class, () -> Finding.missing("gpu", "none", "all", ""));
  }

  @Test
  void shouldExamineThisMachineAndEndWithZeroUnlessStrict() throws IOException {
    Command plain = Command.jgin("doctor --json");
    assertEquals(0, plain.code(), plain.err());
    JsonNode root = new ObjectMapper().readTree(plain.out());
    Command strict = Command.jgin("doctor --strict");
    assertEquals(root.get("missing").asInt() > 0 ? 1 : 0, strict.code(), strict.out());
    assertTrue(strict.out().contains("java.version"), strict.out());
  }
}
