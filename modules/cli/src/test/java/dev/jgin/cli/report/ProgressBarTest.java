// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ProgressBarTest {
  private final StringWriter terminal = new StringWriter();
  private final AtomicLong clock = new AtomicLong();

  private ProgressBar bar() {
    return ProgressBar.on(new PrintWriter(terminal), clock::get);
  }

  @Test
  void shouldSayNothingOnShortRuns() {
    try (ProgressBar bar = bar()) {
      clock.set(999_000_000);
      bar.update(5, 10, "iterations");
    }
    assertEquals("", terminal.toString());
  }

  @Test
  void shouldDrawAtMostTenTimesASecondAndWipeItself() {
    try (ProgressBar bar = bar()) {
      clock.set(1_000_000_000);
      bar.update(5, 10, "iterations");
      clock.set(1_050_000_000);
      bar.update(6, 10, "iterations");
    }
    String half = "[" + "#".repeat(20) + ".".repeat(20) + "] 5/10 iterations";
    assertEquals("\r" + half + "\033[K\r\033[K", terminal.toString());
  }

  @Test
  void shouldFillUp() {
    try (ProgressBar bar = bar()) {
      clock.set(2_000_000_000);
      bar.update(10, 10, "iterations");
    }
    assertTrue(terminal.toString().contains("[" + "#".repeat(40) + "] 10/10"));
  }
}
