// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gin.runner;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/**
 * Prints a line for each test when it ends, so that a run that is cut short has said how far it
 * came, and counts. For one run; tests run one after another.
 */
final class Tally implements TestExecutionListener {
  private final PrintWriter out;
  private final List<String> skipped = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();
  private final long start = System.nanoTime();
  private long began = start;
  private int passed;
  private int failed;

  Tally(PrintWriter out) {
    this.out = out;
  }

  int passed() {
    return passed;
  }

  /** Failed tests, and classes that failed before or after theirs. */
  int failed() {
    return failed;
  }

  int skipped() {
    return skipped.size();
  }

  @Override
  public void executionStarted(TestIdentifier test) {
    if (test.isTest()) {
      began = System.nanoTime();
    }
  }

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    String reason = result.getThrowable().map(Throwable::toString).orElse("");
    switch (result.getStatus()) {
      case SUCCESSFUL -> {
        if (test.isTest()) {
          passed++;
          line("ok", test, "");
        }
      }
      case ABORTED -> skip(test, reason);
      case FAILED -> {
        failed++;
        failures.add(name(test));
        line("FAILED", test, "");
        result.getThrowable().ifPresent(e -> e.printStackTrace(out));
      }
    }
  }

  @Override
  public void executionSkipped(TestIdentifier test, String reason) {
    skip(test, reason);
  }

  private void skip(TestIdentifier test, String reason) {
    skipped.add(name(test) + ": " + reason);
    line("skipped", test, reason);
  }

  /** Prints what was skipped, what failed, and the numbers. */
  void report() {
    skipped.forEach(name -> out.println("!! skipped " + name));
    failures.forEach(name -> out.println("!! FAILED " + name));
    out.printf(
        "%d passed, %d failed, %d skipped, %d ms%n",
        passed, failed, skipped.size(), (System.nanoTime() - start) / 1_000_000);
    out.flush();
  }

  private void line(String word, TestIdentifier test, String more) {
    long millis = (System.nanoTime() - began) / 1_000_000;
    out.println(String.format("%-8s %6d ms  %s %s", word, millis, name(test), more).strip());
    out.flush();
  }

  private static String name(TestIdentifier test) {
    return test.getSource()
        .map(source ->
            switch (source) {
              case MethodSource method ->
                  simple(method.getClassName()) + "." + test.getDisplayName();
              case ClassSource type -> simple(type.getClassName());
              default -> test.getDisplayName();
            })
        .orElse(test.getDisplayName());
  }

  private static String simple(String className) {
    return className.substring(className.lastIndexOf('.') + 1);
  }
}
