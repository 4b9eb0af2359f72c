// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;

/** Entry point of the {@code jgin} command. */
public final class Main {
  private Main() {}

  /** Runs the command and ends the process with its {@link ExitCode}. */
  public static void main(String[] args) {
    PrintWriter out = writer(FileDescriptor.out);
    PrintWriter err = writer(FileDescriptor.err);
    int code = run(out, err, args);
    out.flush();
    err.flush();
    System.exit(code);
  }

  /**
   * Runs the command: results go to {@code out}, everything else to {@code err}.
   *
   * @return an {@link ExitCode}
   */
  public static int run(PrintWriter out, PrintWriter err, String... args) {
    JginCommand jgin = new JginCommand();
    CommandLine line = new CommandLine(jgin);
    Numbers.register(line);
    line.setOut(out);
    line.setErr(err);
    line.setUsageHelpAutoWidth(true);
    line.setCaseInsensitiveEnumValuesAllowed(true);
    line.setParameterExceptionHandler((e, _) -> Failures.badOption(e));
    line.setExecutionExceptionHandler((e, at, _) -> Failures.report(e, at.getErr(), jgin.debug));
    try {
      return line.execute(args);
    } catch (OutOfMemoryError e) {
      return Failures.report(new IllegalStateException(e), err, jgin.debug);
    }
  }

  private static PrintWriter writer(FileDescriptor descriptor) {
    return new PrintWriter(new FileOutputStream(descriptor), true, StandardCharsets.UTF_8);
  }
}
