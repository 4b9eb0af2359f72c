// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.perf;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jgin.cli.Command;
import dev.jgin.cli.ExitCode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each bad value ends with exit code 2 and a message that names value, limit and remedy. */
class PerfValidationTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          put_lat     | -s 0                      | --size '0'; more than 0
          put_lat     | -s -5                     | -5
          put_lat     | -s 2G                     | --size 2G; 2147483648; 1..1073741824; many messages
          put_lat     | -s 8,                     | --size ''; 512M
          put_lat     | -s many                   | --size 'many'; 512M
          put_lat     | -s 8 -a                   | --size 8; --all; one of them
          put_lat     | -n 0                      | --iters 0; 5..10000000
          put_lat     | -n 4                      | --iters 4; 5..10000000
          put_lat     | -n -1                     | --iters -1; 5..10000000
          put_lat     | -n 10 -D 1                | --iters 10; --duration 1; one of them
          put_lat     | -D 0                      | --duration 0; 1..86400
          put_lat     | -w -1                     | --warmup -1; 0..10000000
          put_lat     | --contexts 0              | --contexts 0; 1..256
          put_lat     | --fabric infiniband       | 'infiniband'; emulated
          put_lat     | --fabric absent           | 'absent'; install one; jgin fabrics
          put_lat     | --fabric emulated:fast    | 'fast'; adversarial
          put_lat     | --fabric emulated:ordered | simulated time; threads
          put_lat     | --ranks 3                 | --ranks
          put_lat     | --wait sleep              | --wait; sleep; SPIN
          put_lat     | --timeout 5               | --timeout '5'; 500ms
          put_lat     | -s 65 --fabric emulated:adversarial,threads=1,a1w=off | 65 bytes; A1w; granule; \
          up to 64 bytes; signal_lat; --allow-unsound
          signal_lat  | -s 8                      | -s
          signal_lat  | --fabric emulated:ordered,threads=1,a6=off | signal_lat counts adds; A6; exactly once; \
          --allow-unsound
          put_bw      | -t 0                      | --tx-depth 0; 1..1048576
          put_bw      | -t 5000                   | --tx-depth 5000; 1024; depth=
          put_bw      | -H                        | --report-histogram; put_bw; leave it out
          put_bw      | --contexts 256 -s 1G      | --size 1073741824; 256 contexts; half of; lower
          put_bw      | --fabric emulated:ordered,threads=1,a4=off | A4; under way; --allow-unsound
          barrier_lat | --ranks 1                 | --ranks 1; 2..256
          barrier_lat | --ranks 257               | --ranks 257; 2..256
          barrier_lat | --barrier ring            | --barrier 'ring'; fan-in-all
          barrier_lat | --barrier single --contexts 2 --fabric emulated:ordered,threads=1 | \
          SINGLE_CONTEXT; A2+; --allow-unsound
          barrier_lat | --barrier order-free --fabric emulated | ORDER_FREE; granule
          barrier_lat | --barrier fan-in-used --contexts 33 | 33 contexts; 32
          """)
  void shouldNameValueLimitAndRemedy(String test, String options, String expected) {
    Command command = PerfTestTool.perf(test, options);
    List<Executable> checks = new ArrayList<>();
    checks.add(() -> assertEquals(ExitCode.USAGE, command.code()));
    checks.add(() -> assertEquals("", command.out()));
    checks.add(() -> assertFalse(command.err().contains("\tat "), "a stack trace"));
    for (String part : expected.split("; ", -1)) {
      checks.add(() -> assertTrue(command.err().contains(part.strip()), "lacks: " + part));
    }
    assertAll(command.err(), checks);
  }

  @Test
  void shouldRunTheRefusedOnRequest() {
    Command command =
        PerfTestTool.perf(
            "put_lat", "-s 64 --allow-unsound --fabric emulated:adversarial,threads=1,a1w=off");
    assertEquals(ExitCode.OK, command.code(), command.err() + command.out());
    assertTrue(command.out().contains("MAY BE UNSOUND: --allow-unsound"), command.out());
  }

  @Test
  void shouldNameTheTests() {
    Command command = Command.jgin("perf");
    assertEquals(ExitCode.USAGE, command.code());
    assertTrue(
        command.err().contains("put_lat, put_bw, signal_lat, atomic_lat, barrier_lat"),
        command.err());
    assertTrue(Command.jgin("perf put_bw --help").out().contains("--tx-depth"));
  }
}
