// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.perf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.jgin.cli.Command;
import dev.jgin.cli.ExitCode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PerfCommandTest {
  private static List<String> rows(Command command) {
    return command.out().lines().filter(line -> line.startsWith(" ")).toList();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "put_lat     | '' | 1",
        "put_bw      | -s 2,64K,8 -t 4 | 3",
        "put_lat     | -s 1 | 1",
        "put_lat     | -s 5000 --contexts 3 | 1",
        "put_lat     | -s 64K --fabric emulated:granule=64 | 1",
        "put_lat     | -s 64 --fabric emulated:adversarial,threads=1,a1w=off | 1",
        "put_lat     | -s 100 --wait spin | 1",
        "put_lat     | -s 8 -D 1 | 1",
        "put_bw      | '' | 1",
        "put_bw      | -s 3 --contexts 2 -t 4 | 1",
        "put_bw      | -s 1K -t 1 -D 1 | 1",
        "put_bw      | -s 8 --fabric emulated:adversarial,threads=1,a1w=off | 1",
        "signal_lat  | --contexts 2 | 1",
        "atomic_lat  | --contexts 2 | 1",
        "atomic_lat  | --fabric emulated:ordered,threads=1 | 1",
        "barrier_lat | --ranks 3 --contexts 2 --barrier fan-in-all,fan-in-used,order-free | 3",
        "barrier_lat | --ranks 2 --puts --barrier all --contexts 3 | 5",
        "barrier_lat | -D 1 -w 0 | 1"
      })
  void shouldFindNothingWrong(String test, String line, int rows) {
    Command command = PerfTestTool.perf(test, line);
    assertEquals(ExitCode.OK, command.code(), command.err() + command.out());
    assertTrue(command.out().contains("# OK: #wrong 0 of "), command.out());
    assertEquals("", command.err());
    assertEquals(1 + rows, rows(command).size(), command.out());
  }

  @Test
  void shouldRunEverySizeFrom2To8MiB() {
    Command command = PerfTestTool.perf("put_lat", "-a -n 5 -w 0");
    assertEquals(ExitCode.OK, command.code(), command.err() + command.out());
    List<String> sizes = new ArrayList<>();
    for (String row : rows(command)) {
      sizes.add(row.strip().split(" ", 2)[0]);
    }
    assertEquals(24, sizes.size());
    assertEquals("2", sizes.get(1));
    assertEquals("8388608", sizes.get(23));
  }

  @Test
  void shouldPrintEveryTimeOnRequest() {
    Command unsorted = PerfTestTool.perf("signal_lat", "-U -n 50");
    assertEquals(49, unsorted.out().lines().filter(l -> l.matches("\\d+, \\d+\\.\\d+")).count());
    Command sorted = PerfTestTool.perf("signal_lat", "-H -n 50");
    List<Double> times =
        sorted
            .out()
            .lines()
            .filter(l -> l.matches("\\d+, \\d+\\.\\d+"))
            .map(l -> Double.parseDouble(l.substring(l.indexOf(' '))))
            .toList();
    assertEquals(47, times.size());
    assertEquals(times.stream().sorted().toList(), times);
  }

  @Test
  void shouldWriteOneDocument() throws IOException {
    ObjectMapper mapper = new ObjectMapper();
    Command command = PerfTestTool.perf("put_lat", "--json -U -s 16 -n 20");
    JsonNode root = mapper.readTree(command.out());
    assertEquals("jgin.perf/1", root.get("schema").asText());
    assertEquals("put_lat", root.get("test").asText());
    assertEquals(0, root.get("exit_code").asInt());
    assertTrue(root.get("stopped").isNull());
    assertTrue(root.get("setting").get("emulated").asBoolean());
    JsonNode row = root.get("rows").get(0);
    assertEquals(16, row.get("bytes").asInt());
    assertEquals(20, row.get("iterations").asInt());
    assertEquals(19, row.get("samples_ns").size());
    assertTrue(row.get("min_ns").asDouble() > 0);
    assertTrue(row.get("min_ns").asDouble() <= row.get("typical_ns").asDouble());
    assertTrue(row.get("typical_ns").asDouble() <= row.get("max_ns").asDouble());
    assertEquals(0, root.get("verification").get("wrong").asInt());

    JsonNode bw = mapper.readTree(PerfTestTool.perf("put_bw", "--json -s 64 -t 8").out());
    JsonNode rate = bw.get("rows").get(0);
    assertEquals(8, bw.get("setting").get("tx_depth").asInt());
    assertEquals(8, rate.get("outstanding").asInt());
    assertTrue(rate.get("peak_mb_per_s").asDouble() >= rate.get("average_mb_per_s").asDouble());
    assertEquals(
        rate.get("average_gb_per_s").asDouble(),
        64 * rate.get("messages_per_s").asDouble() / 1e9,
        1e-9);

    JsonNode timed = mapper.readTree(PerfTestTool.perf("put_bw", "--json -s 64 -D 1").out());
    assertTrue(timed.get("rows").get(0).get("peak_mb_per_s").isNull());
    assertTrue(timed.get("setting").get("iterations").isNull());
    assertEquals(1, timed.get("setting").get("seconds").asInt());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "put_lat     | -s 100 --fabric faulty:half  | others were wrong or not here, the first at 0",
        "put_bw      | -s 100 --fabric faulty:half  | bytes of message",
        "put_bw      | -s 3   --fabric faulty:lost  | does not begin with the number of its last",
        "signal_lat  | --fabric faulty:twice        | the signal of context 0 stands at",
        "atomic_lat  | --fabric faulty:twice        | the cell of context 0 stands at",
        "barrier_lat | --fabric faulty:mute --ranks 3 | behind barrier 1 (FAN_IN_ALL_CONTEXTS)",
      })
  void shouldEndWith3WhenDataIsWrong(String test, String line, String sentence) {
    Command command = PerfTestTool.perf(test, line);
    assertEquals(ExitCode.VIOLATION, command.code(), command.err() + command.out());
    assertTrue(command.out().contains("# FAILED: #wrong "), command.out());
    assertTrue(command.out().contains("# wrong: "), command.out());
    assertTrue(command.out().contains(sentence), command.out());
    assertFalse(command.out().contains("# OK"), command.out());
  }

  @Test
  void shouldEndForAllWhenOneRankDies() {
    // The deadline is far away: what ends the other rank is the failure itself.
    Command command = PerfTestTool.perf("put_lat", "--fabric faulty:dies --timeout 20m");
    assertEquals(ExitCode.OTHER, command.code(), command.err() + command.out());
    assertTrue(
        command.out().contains("# STOPPED EARLY: rank 1: lane (context 0, peer 0) failed"),
        command.out());
    assertFalse(command.out().contains("# OK"), command.out());
  }

  @Test
  void shouldEndWhenAMessageNeverComes() {
    Command command = PerfTestTool.perf("put_lat", "--fabric faulty:lost --timeout 20ms --json");
    assertEquals(ExitCode.OTHER, command.code(), command.err() + command.out());
    assertTrue(command.out().contains("deadline of 20 ms passed: the last byte"), command.out());
  }

  @Test
  void shouldSayWhatIsMeasuredAndOnWhat() {
    Command command = PerfTestTool.perf("barrier_lat", "--ranks 4 --contexts 2");
    for (String part :
        new String[] {
          "# measures one barrier after another; each time is the longest that any rank took",
          "# fabric   emulated: EMULATED, no network",
          "4 ranks, 2 contexts, 50 iterations, 40 to warm up, seed 1",
          "waits spin, then yield, then park"
        }) {
      assertTrue(command.out().contains(part), part + " is not in " + command.out());
    }
  }
}
