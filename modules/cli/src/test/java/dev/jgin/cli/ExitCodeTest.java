// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExitCodeTest {
  private static final String ADVERSARY =
      "--fabric emulated:adversarial --ranks 4 --tokens-per-rank 2 --iterations 40 ";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "--barrier fan-in-used --align 4",
        "--barrier ORDER_FREE --fabric emulated:granule=64",
        "--barrier order-free --masked 0.3 --uneven",
        "--masked 1 --combine reduced",
        "--dtype fp8 --combine reduced --streams 2",
        "--dtype fp8 --scales ue8m0 --hidden 208 --audit",
        "--layout one-row --dtype fp16",
        "--dtype fp32 --routing zipf:1.2 --experts 7 --topk 3",
        "--routing deepseek-v3",
        "--routing hot --ranks 1 --contexts 1 --barrier single",
        ADVERSARY
      })
  void shouldEndWith0WhenNothingIsWrong(String options) {
    Command command = Command.moe(options);
    assertEquals(ExitCode.OK, command.code(), command.err() + command.out());
    assertTrue(command.out().contains("# OK: no violation, #wrong 0;"), command.out());
    assertEquals("", command.err());
  }

  @ParameterizedTest
  @CsvSource({
    "single, SINGLE_CONTEXT",
    "flush-then-single, FLUSH_THEN_SINGLE_CONTEXT",
    "Single_Context, SINGLE_CONTEXT"
  })
  void shouldEndWith3WhenAViolationIsFound(String barrier, String name) {
    Command command = Command.moe(ADVERSARY + "--allow-unsound --barrier " + barrier);
    assertEquals(ExitCode.VIOLATION, command.code(), command.err() + command.out());
    assertTrue(command.out().contains("barrier " + name + " (unsound ones allowed)"));
    assertTrue(command.out().contains("# FAILED: "), command.out());
    assertFalse(command.out().contains("# all                               0"), command.out());
    assertTrue(command.out().contains("epoch expected"), "no violation in full");
  }

  @Test
  void shouldEndWith2AndTheReasonWhenAnUnsoundProtocolIsRefused() {
    Command command = Command.moe(ADVERSARY + "--barrier single");
    assertEquals(ExitCode.USAGE, command.code());
    for (String part :
        new String[] {
          "SINGLE_CONTEXT",
          "A2+",
          "emulated:adversarial does not promise",
          "can overtake rows",
          "Choose FAN_IN_ALL_CONTEXTS or FAN_IN_USED_CONTEXTS",
          "--allow-unsound"
        }) {
      assertTrue(command.err().contains(part), part + " is not in: " + command.err());
    }
  }

  @Test
  void shouldSayThatARunWithoutAViolationProvesNothingWhereNothingIsPromised() {
    String line = "--fabric emulated --allow-unsound --barrier order-free";
    Command command = Command.moe(line);
    assertEquals(ExitCode.OK, command.code(), command.err() + command.out());
    String note = "# SEEN, NOT PROMISED: ORDER_FREE with fence PUT over 4 contexts needs granules";
    assertTrue(command.out().contains(note), command.out());
    assertTrue(
        Command.moe(line + ",fan-in-all")
            .out()
            .contains("\nORDER_FREE, nothing wrong seen, and not promised: ORDER_FREE with"));
    assertFalse(Command.moe("--fabric emulated").out().contains("NOT PROMISED"));
  }

  @Test
  void shouldEndWith3AtTheFirstViolationOfASoundProtocol() {
    // The carrier breaks its word: without --allow-unsound nobody has asked for an experiment.
    Command command =
        Command.moe(ADVERSARY.replace("emulated", "overstating") + "--barrier single");
    assertEquals(ExitCode.VIOLATION, command.code(), command.err() + command.out());
    assertTrue(command.out().contains("# STOPPED EARLY: a run ends at its first violation"));
    assertTrue(command.out().contains("epoch expected"), command.out());
    assertTrue(command.out().contains("# FAILED: "), command.out());
    assertEquals("", command.err());
  }

  @Test
  void shouldEndWith1WhenADeadlinePasses() {
    Command command = Command.moe(ADVERSARY + "--timeout 1us");
    assertEquals(ExitCode.OTHER, command.code());
    assertTrue(command.out().contains("# STOPPED EARLY: rank "), command.out());
    assertTrue(command.out().contains("deadline"), command.out());
    assertFalse(command.out().contains("# OK"), command.out());
    assertFalse(command.out().contains("\tat "), "a stack trace");
  }

  @Test
  void shouldEndWith1WhenADumpCannotBeWritten(@TempDir Path folder) throws IOException {
    Path file = Files.createFile(folder.resolve("file"));
    Command command = Command.moe("--dump " + file.resolve("dump"));
    assertEquals(ExitCode.OTHER, command.code(), command.err());
    assertTrue(command.err().contains(file.toString()), command.err());
    assertFalse(command.err().contains("\tat "), "a stack trace");
  }

  @Test
  void shouldPrintTheStackTraceOnRequestOnly() {
    assertTrue(Command.moe("--ranks 0 --debug").err().contains("\tat "));
  }

  @Test
  void shouldReplayASeedAndOnlyThat() {
    String line = ADVERSARY + "--allow-unsound --barrier single --json --seed ";
    Command first = Command.moe(line + "7");
    assertEquals(first.out(), Command.moe(line + "7").out());
    assertNotEquals(first.out(), Command.moe(line + "8").out().replace(": 8,", ": 7,"));
  }

  @Test
  void shouldSayThatNothingWasCompared() {
    Command command = Command.moe("--verify off");
    assertEquals(ExitCode.OK, command.code());
    assertTrue(command.out().contains("NOTHING WAS COMPARED"), command.out());
  }

  @Test
  void shouldAnswerForItself() {
    assertEquals(ExitCode.OK, Command.jgin("--version").code());
    assertTrue(Command.jgin("--version").out().matches("(?s)jgin \\d+\\.\\d+\\.\\d+.*"));
    assertTrue(Command.jgin("moe --help").out().contains("--allow-unsound"));
    Command fabrics = Command.jgin("fabrics");
    assertEquals(ExitCode.OK, fabrics.code());
    assertTrue(fabrics.out().matches("(?s).*emulated .*\n +available\n.*"), fabrics.out());
    assertTrue(fabrics.out().contains(" not available: no such device"), fabrics.out());
    assertTrue(fabrics.out().startsWith("emulated "), fabrics.out());
    assertTrue(Command.jgin("info --help").out().contains("--fabric=SPEC"));
  }

  @Test
  void shouldNameTheCommandsWhereNoneIsGiven() {
    Command command = Command.jgin("--debug");
    assertEquals(ExitCode.USAGE, command.code());
    assertTrue(command.err().contains("use one of moe, "), command.err());
    assertTrue(command.err().contains("info"), command.err());
  }

  @Test
  void shouldPreferABrokenRunOverAViolationOverSuccess() {
    assertEquals(ExitCode.OTHER, ExitCode.worse(ExitCode.OTHER, ExitCode.VIOLATION));
    assertEquals(ExitCode.VIOLATION, ExitCode.worse(ExitCode.OK, ExitCode.VIOLATION));
  }
}
