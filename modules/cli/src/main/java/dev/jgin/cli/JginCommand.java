// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli;

import dev.jgin.cli.perf.PerfCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** {@code jgin} itself: it holds the commands and does nothing on its own. */
@Command(
    name = "jgin",
    description = "GPU-initiated networking for the JVM.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    subcommands = {
      MoeCommand.class,
      PerfCommand.class,
      FabricsCommand.class,
      InfoCommand.class,
      DoctorCommand.class
    },
    footer = {
      "",
      "Exit codes: 0 nothing was wrong, 2 usage, 3 a violation was found, 1 anything else."
    })
final class JginCommand implements Runnable {
  @Option(
      names = "--debug",
      scope = ScopeType.INHERIT,
      description = "Print the stack trace behind an error message.")
  boolean debug;

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new CommandLine.ParameterException(
        spec.commandLine(),
        "no command given; use one of " + String.join(", ", spec.subcommands().keySet()));
  }
}
