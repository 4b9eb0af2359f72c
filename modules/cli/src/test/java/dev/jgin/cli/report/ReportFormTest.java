// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.jgin.cli.Command;
import dev.jgin.cli.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Programs read these forms: a change here is a change of contract. */
class ReportFormTest {
  private static String text(RunReport report) {
    StringWriter out = new StringWriter();
    new TextReport(new PrintWriter(out)).print(report);
    return out.toString();
  }

  @Test
  void shouldPrintACleanRun() {
    assertEquals(Example.golden("clean.txt"), text(Example.clean()));
  }

  @Test
  void shouldPrintACaughtRunWithoutThroughput() {
    assertEquals(Example.golden("caught.txt"), text(Example.caught()));
  }

  @Test
  void shouldWriteACleanRunAsJson() {
    assertEquals(Example.golden("clean.json"), JsonReport.of(Example.clean()));
  }

  @Test
  void shouldWriteACaughtRunAsJson() {
    assertEquals(Example.golden("caught.json"), JsonReport.of(Example.caught()));
  }

  @Test
  void shouldPrintASweepAsMarkdown() {
    StringWriter out = new StringWriter();
    SweepReport table = new SweepReport(new PrintWriter(out));
    List<RunReport> runs = List.of(Example.clean(), Example.caught());
    table.head("what all have in common");
    runs.forEach(table::run);
    table.foot(runs, ExitCode.VIOLATION);
    assertEquals(Example.golden("sweep.md"), out.toString());
  }

  @Test
  void shouldHaveTheFieldsOfTheExampleInARealRun() throws IOException {
    ObjectMapper mapper = new ObjectMapper();
    JsonNode real = mapper.readTree(Command.moe("--json").out());
    assertEquals(fields("", mapper.readTree(Example.golden("clean.json"))), fields("", real));
  }

  private static Set<String> fields(String path, JsonNode node) {
    Set<String> names = new TreeSet<>();
    node.properties()
        .forEach(entry -> {
          names.add(path + entry.getKey());
          names.addAll(fields(path + entry.getKey() + ".", entry.getValue()));
        });
    node.elements()
        .forEachRemaining(child -> {
          if (node.isArray()) {
            names.addAll(fields(path + "[].", child));
          }
        });
    return names;
  }

  @Test
  void shouldEndWith3ForAWrongValueAlone() {
    RunReport clean = Example.clean();
    RunReport wrong =
        new RunReport(
            clean.setting(),
            clean.phases(),
            clean.experts(),
            clean.ranks(),
            clean.violations(),
            new RunReport.Verification(10, 1, List.of()),
            null);
    assertEquals(ExitCode.OK, clean.exitCode());
    assertEquals(ExitCode.VIOLATION, wrong.exitCode());
    assertEquals(ExitCode.VIOLATION, Example.caught().exitCode());
  }
}
