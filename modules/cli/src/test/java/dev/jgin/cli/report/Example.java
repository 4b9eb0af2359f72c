// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.report;

import dev.jgin.cli.report.RunReport.Phase;
import dev.jgin.cli.report.RunReport.Verification;
import dev.jgin.moe.check.Check;
import dev.jgin.moe.check.Symptom;
import dev.jgin.moe.check.Violation;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Reports with fixed numbers, for the tests that hold the printed form. */
final class Example {
  private Example() {}

  /** A run on a real clock in which nothing was wrong. */
  static RunReport clean() {
    return new RunReport(
        setting(false, "FAN_IN_ALL_CONTEXTS", false),
        List.of(
            phase("dispatch", 957_363, 1870, 12_345_678, Phase.NOT_HERE),
            phase("epilogue", 2_097_152, 4096, 3_479_950, 0),
            phase("combine", 2_097_152, 4096, 16_037_700, Phase.NOT_HERE),
            phase("reduce", 262_144, 512, 2_247_430, 0),
            phase("total", 5_413_811, 512, 29_300_370, 0)),
        Loads.of(new long[] {10, 40, 30, 0}),
        Loads.of(new long[] {50, 30}),
        Violations.of(List.of()),
        new Verification(26_315_608, 0, List.of()),
        null);
  }

  /** A run on a virtual clock that was caught and stopped. */
  static RunReport caught() {
    Violation missing =
        new Violation(Symptom.MISSING, Check.EPOCH_TAG, 0, 6, 2, 7, 3, 1, "combine, stream 0");
    Violation unwritten =
        new Violation(
            Symptom.UNWRITTEN,
            Check.COUNTS_EQUAL,
            1,
            Violation.UNKNOWN,
            Violation.UNKNOWN,
            7,
            10,
            10,
            "dispatch, stream 0");
    return new RunReport(
        setting(true, "SINGLE_CONTEXT", true),
        List.of(
            phase("dispatch", 957_363, 1870, 354_930, Phase.NOT_HERE),
            phase("total", 957_363, 1870, 354_930, 16)),
        Loads.of(new long[] {10, 40, 30, 0}),
        Loads.of(new long[] {50, 30}),
        Violations.of(List.of(missing, unwritten, missing)),
        new Verification(1000, 16, List.of("rank 5: source of row 1")),
        "rank 0: deadline of 30000 ms passed");
  }

  private static Phase phase(String op, double bytes, double rows, long nanos, long wrong) {
    return new Phase(
        op, bytes, rows, "bf16", Percentiles.of(new long[] {nanos, nanos, 2 * nanos}), wrong);
  }

  private static Setting setting(boolean virtualTime, String barrier, boolean unsound) {
    return new Setting(
        "1.2.3",
        virtualTime ? "emulated:adversarial" : "emulated",
        true,
        "A1w A4, granule 64 B",
        virtualTime,
        2,
        barrier,
        unsound,
        unsound ? barrier + " needs A2+" : null,
        unsound ? "slow-lane 1" : null,
        7,
        new Setting.Shape(
            2, 4, 1, 4, 2, 128, 256, "fp8", "fp32", "bf16", "expanded", 8, "canonical", true),
        "generated: uniform, top-2 of 4 experts",
        10_240,
        20,
        2,
        true,
        3_355_443,
        1L << 30);
  }

  /** A file of the expected form beside this class. */
  static String golden(String name) {
    try (InputStream in = Example.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
