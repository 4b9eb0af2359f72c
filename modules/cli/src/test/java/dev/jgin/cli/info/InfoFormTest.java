// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.info;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.jgin.cli.Command;
import dev.jgin.cli.ExitCode;
import dev.jgin.gin.spi.Axiom;
import dev.jgin.gin.spi.Axioms;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Programs read these forms: a change here is a change of contract. */
class InfoFormTest {

  private static final Machine MACHINE =
      new Machine(
          "0.1.0",
          "25.0.1+8",
          "Vendor",
          "/opt/jdk",
          "Linux",
          "6.1.0",
          "amd64",
          8,
          1L << 34,
          1L << 32);

  private static final Set<String> SETTINGS = Set.of("JGIN_QUICK", "JGIN_JAVA_OPTS", "jgin.seed");

  private static InfoReport report(Set<Part> parts, String... specifications) {
    FakeProvider absent =
        new FakeProvider(
            "absent",
            "no such device; install one",
            Axioms.reliableConnected(16).without(Axiom.A1W),
            List.of());
    FakeProvider silent = new FakeProvider("silent", null, null, List.of());
    Properties properties = new Properties();
    properties.setProperty("jgin.seed", "7");
    Settings settings = new Settings(Map.of("JGIN_QUICK", "true", "JGIN_QUIK", "true"), properties);
    InfoReport all =
        new Inquiry(new Carriers(List.of(absent, silent, FakeProvider.network())), settings)
            .report(parts, MACHINE, List.of(specifications));
    // Two settings stand for all: the form is the same, and the catalogue has a test of its own.
    return new InfoReport(
        all.parts(),
        all.machine(),
        all.devices(),
        all.fabrics(),
        all.settings().stream().filter(setting -> SETTINGS.contains(setting.name())).toList(),
        all.unknown());
  }

  private static String text(InfoReport report) {
    StringWriter out = new StringWriter();
    new InfoText(new PrintWriter(out)).print(report);
    return out.toString();
  }

  private static String golden(String name) throws IOException {
    try (InputStream in = InfoFormTest.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void shouldPrintEverything() throws IOException {
    assertEquals(golden("all.txt"), text(report(EnumSet.allOf(Part.class))));
  }

  @Test
  void shouldWriteEverythingAsJson() throws IOException {
    assertEquals(golden("all.json"), InfoJson.of(report(EnumSet.allOf(Part.class))));
  }

  @ParameterizedTest
  @EnumSource(Part.class)
  void shouldShowOnePartAlone(Part part) throws IOException {
    String all = golden("all.txt");
    String alone = text(report(Set.of(part)));
    assertTrue(all.contains(alone) && alone.length() < all.length(), alone);
    JsonNode json = new ObjectMapper().readTree(InfoJson.of(report(Set.of(part))));
    List<String> fields = new ArrayList<>(List.of("schema"));
    fields.add(part.name().toLowerCase(Locale.ROOT));
    if (part == Part.SETTINGS) {
      fields.add("unknown_settings");
    }
    assertEquals(fields, json.properties().stream().map(Map.Entry::getKey).toList());
  }

  @Test
  void shouldShowTheSpecificationsAskedForAndNoOther() {
    InfoReport report = report(Set.of(Part.FABRICS), "network:relaxed=on", "network");
    assertEquals(
        List.of("network:relaxed=on", "network"),
        report.fabrics().stream()
            .map(fabric -> fabric.specifications().getFirst().specification())
            .toList());
  }

  @Test
  void shouldRefuseWrongSpecifications() {
    assertThrows(
        IllegalArgumentException.class, () -> report(Set.of(Part.FABRICS), "network:rapid=on"));
    String why =
        assertThrows(IllegalArgumentException.class, () -> report(Set.of(Part.FABRICS), "net"))
            .getMessage();
    assertTrue(why.contains("'net' is unknown") && why.contains("network, silent, absent"), why);
    Command command = Command.jgin("info --fabric emulated:a9=off");
    assertEquals(ExitCode.USAGE, command.code());
    assertTrue(command.err().contains("option 'a9' is unknown"), command.err());
    assertTrue(!command.err().contains("\tat "), command.err());
  }

  @Test
  void shouldReportThisMachineAndEndWith0() throws IOException {
    Command command = Command.jgin("info --json");
    assertEquals(ExitCode.OK, command.code(), command.err());
    JsonNode json = new ObjectMapper().readTree(command.out());
    assertEquals(InfoJson.SCHEMA, json.path("schema").asText());
    assertTrue(json.path("machine").path("memory_bytes").asLong() > 0);
    List<String> fabrics = new ArrayList<>();
    json.path("fabrics").forEach(fabric -> fabrics.add(fabric.path("fabric").asText()));
    assertTrue(fabrics.containsAll(List.of("emulated", "overstating", "verbs")), "" + fabrics);
    assertEquals("emulated", fabrics.getFirst());
    assertEquals(ExitCode.OK, Command.jgin("info").code());
  }

  @Test
  void shouldTellAFabricByItsOptions() {
    String out = Command.jgin("info --fabric emulated:adversarial,a4=off").out();
    assertTrue(out.contains("emulated:adversarial,a4=off promises A1w A1s A6, granule 64 B"), out);
    assertTrue(out.contains("FAN_IN_ALL_CONTEXTS        refused    refused"), out);
    assertTrue(out.contains("Choose ORDER_FREE"), out);
    assertTrue(!out.contains("machine\n") && !out.contains("verbs"), out);
  }
}
