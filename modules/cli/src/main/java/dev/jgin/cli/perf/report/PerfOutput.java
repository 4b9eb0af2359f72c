// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.perf.report;

/** Takes a run as it goes on: once the setting, each row as it is measured, once the end. */
public interface PerfOutput {
  /** Single times that are printed besides the figures. */
  enum Samples {
    NONE,
    SORTED,
    UNSORTED
  }

  /** Before the first row. */
  void begin(PerfSetting setting);

  /** A row. */
  void row(PerfRow row);

  /** After the last row. */
  void end(PerfResult result);
}
