// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.report;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.LongSupplier;

/**
 * A line on a terminal that says how far a long run has come. Appears after {@value #QUIET_MILLIS}
 * ms, so that short runs print nothing. Any thread may call it; one draws at a time.
 */
public final class ProgressBar implements AutoCloseable {
  private static final long QUIET_MILLIS = 1_000;
  private static final long REDRAW_MILLIS = 100;
  private static final int WIDTH = 40;

  private final PrintWriter terminal;
  private final LongSupplier nanoClock;
  private final long begin;
  private long drawn = Long.MIN_VALUE;
  private boolean visible;

  private ProgressBar(PrintWriter terminal, LongSupplier nanoClock) {
    this.terminal = terminal;
    this.nanoClock = nanoClock;
    this.begin = nanoClock.getAsLong();
  }

  /** A bar that never shows. */
  public static ProgressBar none() {
    return new ProgressBar(null, () -> 0L);
  }

  /** A bar on {@code terminal} whose time is that of {@code nanoClock}. */
  public static ProgressBar on(PrintWriter terminal, LongSupplier nanoClock) {
    return new ProgressBar(terminal, nanoClock);
  }

  /** A bar on {@code err} if standard error is a terminal that a person watches, else none. */
  public static ProgressBar onTerminal(PrintWriter err) {
    return watched() ? on(err, System::nanoTime) : none();
  }

  private static boolean watched() {
    if ("true".equals(System.getenv("CI")) || "dumb".equals(System.getenv("TERM"))) {
      return false;
    }
    // The console tells about standard input and output only; what file 2 is, Linux says itself.
    try {
      String target = Files.readSymbolicLink(Path.of("/proc/self/fd/2")).toString();
      return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
    } catch (IOException | UnsupportedOperationException e) {
      return System.console().isTerminal();
    }
  }

  /** Shows that {@code done} of {@code all} are done. */
  public synchronized void update(long done, long all, String what) {
    if (terminal == null) {
      return;
    }
    long millis = (nanoClock.getAsLong() - begin) / 1_000_000;
    if (millis < QUIET_MILLIS || (visible && millis - drawn < REDRAW_MILLIS)) {
      return;
    }
    int full = (int) (all == 0 ? WIDTH : WIDTH * done / all);
    terminal.printf(
        "\r[%s%s] %d/%d %s\033[K", "#".repeat(full), ".".repeat(WIDTH - full), done, all, what);
    terminal.flush();
    drawn = millis;
    visible = true;
  }

  /** Wipes the line. */
  @Override
  public synchronized void close() {
    if (visible) {
      terminal.print("\r\033[K");
      terminal.flush();
      visible = false;
    }
  }
}
