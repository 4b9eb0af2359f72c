// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gin.runner;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClasspathRoots;

import java.io.File;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.platform.engine.discovery.ClassNameFilter;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs the tests with one tag. Arguments: {@code --tag TAG} (only these), {@code --deep} (those
 * tagged deep as well), and names or beginnings of names of test classes, with or without their
 * package. Looks through the folders named {@code test-classes} on the class path.
 *
 * <p>Status: 0 if all passed that ran and at least one did, 1 otherwise, 2 for a wrong argument.
 * Tests that were skipped fail nothing, and are listed at the end.
 */
public final class TaggedRun {
  private static final String DEEP = "deep";

  private final Set<Path> roots;
  private final PrintWriter out;

  /** A run of what lies below {@code roots}, reported to {@code out}. */
  TaggedRun(Set<Path> roots, PrintWriter out) {
    this.roots = roots;
    this.out = out;
  }

  /** Runs and ends the process. */
  public static void main(String[] args) {
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    System.exit(new TaggedRun(rootsOf(System.getProperty("java.class.path")), out).run(args));
  }

  static Set<Path> rootsOf(String classPath) {
    Set<Path> roots = new LinkedHashSet<>();
    for (String entry : classPath.split(File.pathSeparator, -1)) {
      Path path = Path.of(entry);
      if (path.endsWith("test-classes") && Files.isDirectory(path)) {
        roots.add(path);
      }
    }
    return roots;
  }

  /** Runs, and returns the status. */
  int run(String... args) {
    List<String> names = new ArrayList<>();
    String tag = null;
    boolean deep = false;
    for (int i = 0; i < args.length; i++) {
      switch (args[i]) {
        case "--deep" -> deep = true;
        case "--tag" -> {
          if (++i == args.length) {
            return usage("--tag needs the name of a tag");
          }
          tag = args[i];
        }
        default -> {
          if (args[i].startsWith("-")) {
            return usage(
                args[i] + " is no option: there are --tag TAG, --deep and names of classes");
          }
          names.add(args[i]);
        }
      }
    }
    Tally tally = new Tally(out);
    LauncherFactory.create().execute(request(tag, deep, names), tally);
    tally.report();
    if (tally.passed() + tally.failed() == 0) {
      out.println("no test ran: none " + wanted(tag, names) + " is below " + roots);
    }
    return tally.failed() == 0 && tally.passed() > 0 ? 0 : 1;
  }

  private int usage(String problem) {
    out.println("error: " + problem);
    return 2;
  }

  private LauncherDiscoveryRequest request(String tag, boolean deep, List<String> names) {
    LauncherDiscoveryRequestBuilder request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(selectClasspathRoots(roots))
            .filters(ClassNameFilter.includeClassNamePatterns(patterns(names)));
    if (tag != null) {
      request.filters(TagFilter.includeTags(tag));
    }
    if (!deep) {
      request.filters(TagFilter.excludeTags(DEEP));
    }
    return request.build();
  }

  private static String[] patterns(List<String> names) {
    if (names.isEmpty()) {
      return new String[] {".*Tests?"};
    }
    return names.stream()
        .map(name -> "(.*\\.)?" + Pattern.quote(name) + "[^.]*")
        .toArray(String[]::new);
  }

  private static String wanted(String tag, List<String> names) {
    return (tag == null ? "of any tag" : "tagged " + tag)
        + (names.isEmpty() ? "" : " in classes named " + String.join(", ", names));
  }
}
