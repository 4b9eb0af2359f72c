// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.verbs;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/**
 * Runs test classes without Maven, whose start in an emulated guest takes longer than the tests.
 * Prints a line for each test and ends with status 1 if one failed or none ran.
 */
final class GuestTests {

  private static final PrintWriter OUT = new PrintWriter(System.out, true, StandardCharsets.UTF_8);

  private GuestTests() {}

  /** Runs the classes named in {@code args}. */
  public static void main(String[] args) {
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(
                Arrays.stream(args)
                    .map(name -> selectClass(GuestTests.class.getPackageName() + "." + name))
                    .toList())
            .build();
    SummaryGeneratingListener summary = new SummaryGeneratingListener();
    Launcher launcher = LauncherFactory.create();
    launcher.execute(request, summary, new Lines());
    summary.getSummary().printFailuresTo(OUT, 12);
    summary.getSummary().printTo(OUT);
    boolean good =
        summary.getSummary().getTotalFailureCount() == 0
            && summary.getSummary().getTestsSucceededCount() > 0;
    System.exit(good ? 0 : 1);
  }

  /** A line for each test, when it ends. */
  private static final class Lines implements TestExecutionListener {
    private long began;

    @Override
    public void executionStarted(TestIdentifier test) {
      began = System.nanoTime();
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
      if (test.isTest()) {
        OUT.printf(
            "%-10s %6d ms  %s %s%n",
            result.getStatus(),
            (System.nanoTime() - began) / 1_000_000,
            test.getDisplayName(),
            result.getThrowable().map(Throwable::toString).orElse(""));
      }
    }

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
      OUT.printf("SKIPPED    %s: %s%n", test.getDisplayName(), reason);
    }
  }
}
