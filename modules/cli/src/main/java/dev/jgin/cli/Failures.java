// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli;

import dev.jgin.gin.GinException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Turns what was thrown into one message and an {@link ExitCode}. */
final class Failures {
  private Failures() {}

  static int badOption(ParameterException e) {
    CommandLine line = e.getCommandLine();
    PrintWriter err = line.getErr();
    err.println("jgin: " + e.getMessage());
    CommandLine.UnmatchedArgumentException.printSuggestions(e, err);
    err.println("Try '" + line.getCommandSpec().qualifiedName() + " --help'.");
    return ExitCode.USAGE;
  }

  static int report(Exception e, PrintWriter err, boolean debug) {
    if (debug) {
      e.printStackTrace(err);
    }
    err.println("jgin: " + describe(e));
    return e instanceof UsageException ? ExitCode.USAGE : ExitCode.OTHER;
  }

  /** A sentence for people: known errors speak for themselves, the others are ours. */
  static String describe(Throwable e) {
    return switch (e) {
      case UsageException u -> u.getMessage();
      case GinException g -> g.getMessage();
      case IllegalStateException s when s.getCause() instanceof OutOfMemoryError o ->
          "out of memory ("
              + o.getMessage()
              + "): lower --tokens-per-rank, --iterations or --hidden,"
              + " or raise -Xmx in JGIN_JAVA_OPTS";
      case UncheckedIOException io -> describe(io.getCause());
      case IOException io -> "input or output failed: " + io;
      default ->
          "internal error: "
              + e
              + "; run again with --debug for the stack trace, and please report it";
    };
  }
}
