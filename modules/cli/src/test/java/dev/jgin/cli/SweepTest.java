// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SweepTest {
  private static final String SWEEP =
      "--fabric emulated:adversarial --ranks 4 --tokens-per-rank 2 --iterations 40"
          + " --allow-unsound --barrier all --seeds 3..4";

  @Test
  void shouldGiveEachProtocolAndSeedARow() {
    Command command = Command.moe(SWEEP);
    assertEquals(ExitCode.VIOLATION, command.code(), command.err());
    List<String> rows =
        command.out().lines().filter(line -> line.startsWith("| emulated:")).toList();
    List<String> verdicts = new ArrayList<>();
    for (String row : rows) {
      String[] cells = row.split(" *\\| *", -1);
      verdicts.add(cells[2] + " " + cells[3] + " " + cells[4]);
    }
    assertEquals(
        List.of(
            "SINGLE_CONTEXT 3 3",
            "SINGLE_CONTEXT 4 3",
            "FLUSH_THEN_SINGLE_CONTEXT 3 3",
            "FLUSH_THEN_SINGLE_CONTEXT 4 3",
            "FAN_IN_ALL_CONTEXTS 3 0",
            "FAN_IN_ALL_CONTEXTS 4 0",
            "FAN_IN_USED_CONTEXTS 3 0",
            "FAN_IN_USED_CONTEXTS 4 0",
            "ORDER_FREE 3 0",
            "ORDER_FREE 4 0"),
        verdicts);
    assertTrue(command.out().contains("10 runs: violations in 4,"), command.out());
  }

  @Test
  void shouldPrintOneDocumentForAllRuns() throws IOException {
    JsonNode root = new ObjectMapper().readTree(Command.moe(SWEEP + " --json").out());
    assertEquals("jgin.moe.sweep/1", root.get("schema").asText());
    assertEquals(ExitCode.VIOLATION, root.get("exit_code").asInt());
    assertEquals(10, root.get("runs").size());
    assertEquals("jgin.moe/1", root.get("runs").get(9).get("schema").asText());
  }

  @Test
  void shouldTakeOneSeedAsASweepToo() {
    Command command = Command.moe("--seeds 9");
    assertEquals(ExitCode.OK, command.code(), command.err());
    assertTrue(command.out().contains("| emulated | FAN_IN_ALL_CONTEXTS | 9 | 0 | 0 |"));
  }
}
