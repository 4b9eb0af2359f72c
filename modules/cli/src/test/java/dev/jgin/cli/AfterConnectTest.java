// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AfterConnectTest {

  private static Command moe(String afterConnect, String... more) {
    List<String> line =
        new ArrayList<>(
            List.of("moe", "--ranks", "2", "--contexts", "2", "--tokens-per-rank", "2"));
    line.addAll(List.of("--iterations", "1", "--warmup", "0", "--hidden", "64"));
    line.addAll(List.of("--after-connect", afterConnect));
    line.addAll(List.of(more));
    return Command.jgin(line);
  }

  @Test
  void shouldTellTheCommandEveryEndOfEveryLane(@TempDir Path folder) throws IOException {
    Path lanes = folder.resolve("lanes");
    Command command = moe("cat >'" + lanes + "'");
    assertEquals(ExitCode.OK, command.code(), command.err());
    List<String> expected = new ArrayList<>();
    for (int rank = 0; rank < 2; rank++) {
      for (int context = 0; context < 2; context++) {
        for (int peer = 0; peer < 2; peer++) {
          expected.add("rank=" + rank + " context=" + context + " peer=" + peer);
        }
      }
    }
    assertEquals(expected, Files.readAllLines(lanes), "emulated lanes have no name outside");
    assertTrue(command.out().contains("\n# lanes    after connecting: cat >"), command.out());
  }

  @Test
  void shouldRunItForEveryRunOfASweep(@TempDir Path folder) throws IOException {
    Path lines = folder.resolve("lines");
    Command command = moe("echo ran >>'" + lines + "'", "--barrier", "fan-in-all,fan-in-used");
    assertEquals(ExitCode.OK, command.code(), command.err());
    assertEquals(List.of("ran", "ran"), Files.readAllLines(lines));
  }

  @Test
  void shouldRunNothingWhenItFails() {
    Command command = moe("exit 7");
    assertEquals(ExitCode.USAGE, command.code(), command.out());
    assertEquals("", command.out());
    assertTrue(
        command.err().contains("--after-connect 'exit 7' ended with status 7"), command.err());
  }

  @Test
  void shouldEndWithItsDeadlineWhenTheCommandDoesNotEnd() {
    Command command = moe("exec sleep 600", "--timeout", "50ms");
    assertEquals(ExitCode.USAGE, command.code(), command.out());
    assertTrue(command.err().contains("did not end within 50 ms: raise --timeout"), command.err());
  }
}
