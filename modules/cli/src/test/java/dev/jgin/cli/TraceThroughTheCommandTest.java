// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Logs as they come, and as they should not: the readers' own tests go deeper. */
class TraceThroughTheCommandTest {
  private static final String META = "{\"model\":\"m\",\"experts\":8,\"top_k\":2,\"layer\":0}\n";

  @TempDir private Path folder;

  private static String token(int token, String ids, String weights) {
    return "{\"layer\":0,\"token\":%d,\"topk_ids\":[%s],\"topk_weights\":[%s]}\n"
        .formatted(token, ids, weights);
  }

  private Path write(String text) throws IOException {
    return Files.writeString(folder.resolve("log.jsonl"), text);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          ids out of range | 1,8      | 0.5,0.5 | 8
          negative id      | 1,-2     | 0.5,0.5 | -2
          expert twice     | 3,3      | 0.5,0.5 | 3
          ragged           | 1,2,3    | 0.5,0.5 | 3
          too few weights  | 1,2      | 0.5     | 1
          not a number     | 1,2      | NaN,0.5 | NaN
          no JSON          | 1,2      | 0.5,,   | JSON
          """)
  void shouldNameFileLineAndValue(String what, String ids, String weights, String value)
      throws IOException {
    Path log = write(META + token(0, "1,2", "0.5,0.5") + token(1, ids, weights));
    Command command = Command.jgin("moe --hidden 64 --trace " + log);
    assertEquals(ExitCode.USAGE, command.code(), what);
    assertTrue(command.err().contains("log.jsonl:3: "), what + ": " + command.err());
    assertTrue(command.err().contains(value), what + ": " + command.err());
    assertFalse(command.err().contains("\tat "), "a stack trace");
    assertEquals("", command.out());
  }

  @Test
  void shouldRefuseAnEmptyFile() throws IOException {
    Command command = Command.jgin("moe --trace " + write(""));
    assertEquals(ExitCode.USAGE, command.code());
    assertTrue(command.err().contains("log.jsonl"), command.err());
  }

  @Test
  void shouldRefuseALineWithoutEnd() throws IOException {
    Command command =
        Command.jgin("moe --trace " + write(META + "{\"x\":\"" + "y".repeat(3 << 20)));
    assertEquals(ExitCode.USAGE, command.code());
    assertTrue(command.err().contains("log.jsonl:2: "), command.err());
    assertTrue(command.err().length() < 1000, "the line is in the message");
  }

  @Test
  void shouldRefuseAnotherTopKThanTheLogs() throws IOException {
    Command command = Command.jgin("moe --topk 3 --trace " + write(META + token(0, "1,2", "1,1")));
    assertEquals(ExitCode.USAGE, command.code());
    assertTrue(command.err().contains("--topk 3"), command.err());
    assertTrue(command.err().contains("top-2"), command.err());
  }

  @Test
  void shouldUseEachTokenOnceWithAnUnevenLastIteration() throws IOException {
    StringBuilder text = new StringBuilder(META);
    for (int t = 0; t < 23; t++) {
      text.append(token(t, t % 8 + "," + (t + 3) % 8, "0.25,0.75"));
    }
    Path log = write(text.toString());
    Command command =
        Command.jgin("moe --ranks 3 --tokens-per-rank 3 --hidden 64 --json --trace " + log);
    assertEquals(ExitCode.OK, command.code(), command.err());
    JsonNode setting = new ObjectMapper().readTree(command.out()).get("setting");
    assertEquals(3, setting.get("iterations").asInt());
    assertEquals(23, setting.get("tokens").asInt());
    assertEquals(8, setting.get("experts").asInt());
    assertEquals(2, setting.get("topk").asInt());
    // Without a number of tokens all fit one iteration.
    JsonNode whole =
        new ObjectMapper()
            .readTree(Command.jgin("moe --ranks 3 --hidden 64 --json --trace " + log).out())
            .get("setting");
    assertEquals(1, whole.get("iterations").asInt());
    assertEquals(8, whole.get("tokens_per_rank").asInt());
  }
}
