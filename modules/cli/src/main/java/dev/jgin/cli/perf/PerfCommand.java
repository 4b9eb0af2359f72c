// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.perf;

import dev.jgin.cli.Version;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code jgin perf}: holds the tests. */
@Command(
    name = "perf",
    description = {
      "Latency and throughput of single operations between ranks of this process, in perftest's"
          + " columns.",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    subcommands = {
      PutLatCommand.class,
      PutBwCommand.class,
      SignalLatCommand.class,
      AtomicLatCommand.class,
      BarrierLatCommand.class
    },
    footer = {
      "",
      "Exit codes: 0 nothing was wrong, 2 usage, 3 wrong data, 1 anything else.",
      "Example: jgin perf put_lat -a --fabric verbs:devices=mlx5_0+mlx5_1"
    })
public final class PerfCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new CommandLine.ParameterException(
        spec.commandLine(),
        "no test given; use one of "
            + String.join(", ", spec.commandLine().getCommandSpec().subcommands().keySet()));
  }
}
