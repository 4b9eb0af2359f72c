// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gin.runner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TaggedRunTest {
  private final StringWriter text = new StringWriter();

  /** Samples fail only here: {@code mvn test} runs them too, and must stay green. */
  private static boolean inside;

  private int run(String... args) throws URISyntaxException {
    Path root =
        Path.of(TaggedRunTest.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    inside = true;
    try {
      return new TaggedRun(Set.of(root), new PrintWriter(text)).run(args);
    } finally {
      inside = false;
    }
  }

  private void assertSaid(String words) {
    assertTrue(text.toString().contains(words), text.toString());
  }

  /** Nested and static: found by the runner by name; left alone by others. */
  static class SampleTest {
    @Test
    @Tag("sample-good")
    void shouldPass() {}

    @Test
    @Tag("sample-bad")
    void shouldFail() {
      assertFalse(inside, "as planned");
    }

    @Test
    @Tag("sample-absent")
    void shouldSkip() {
      assumeTrue(!inside, "no such device");
    }

    @Test
    @Tag("sample-long")
    @Tag("deep")
    void shouldTakeLong() {}
  }

  @Test
  void shouldRunWhatHasTheTagAndNothingElse() throws URISyntaxException {
    assertEquals(0, run("--tag", "sample-good"));
    assertSaid("SampleTest.shouldPass()");
    assertSaid("1 passed, 0 failed, 0 skipped");
  }

  @Test
  void shouldFailWithAFailedTest() throws URISyntaxException {
    assertEquals(1, run("--tag", "sample-bad"));
    assertSaid("as planned");
    assertSaid("!! FAILED TaggedRunTest$SampleTest.shouldFail()");
  }

  @Test
  void shouldFailIfNothingRan() throws URISyntaxException {
    assertEquals(1, run("--tag", "sample-none"));
    assertSaid("no test ran: none tagged sample-none");
  }

  @Test
  void shouldFailIfAllWereSkippedAndSayWhy() throws URISyntaxException {
    assertEquals(1, run("--tag", "sample-absent"));
    assertSaid("!! skipped TaggedRunTest$SampleTest.shouldSkip()");
    assertSaid("no such device");
  }

  @Test
  void shouldLeaveDeepTestsOutUnlessAsked() throws URISyntaxException {
    assertEquals(1, run("--tag", "sample-long"));
    assertEquals(0, run("--tag", "sample-long", "--deep"));
  }

  @Test
  void shouldRunOnlyTheClassesNamed() throws URISyntaxException {
    assertEquals(1, run("--tag", "sample-good", "OtherTest"));
    assertEquals(0, run("--tag", "sample-good", "TaggedRunTest"));
    assertEquals(0, run("--tag", "sample-good", "dev.jgin.gin.runner.TaggedRunTest$SampleTest"));
  }

  @Test
  void shouldRefuseWhatItDoesNotKnow() throws URISyntaxException {
    assertEquals(2, run("--tag"));
    assertEquals(2, run("--slow"));
    assertSaid("--slow is no option");
  }

  @Test
  void shouldLookThroughFoldersOfTestsOnly(@TempDir Path folder) throws IOException {
    Path tests = Files.createDirectories(folder.resolve("test-classes"));
    Path classes = Files.createDirectories(folder.resolve("classes"));
    String absent = folder.resolve("absent").resolve("test-classes").toString();
    assertEquals(
        Set.of(tests),
        TaggedRun.rootsOf(
            String.join(
                File.pathSeparator, classes.toString(), absent, tests.toString(), "lib/some.jar")));
  }
}
