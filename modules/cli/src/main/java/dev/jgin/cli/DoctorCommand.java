// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli;

import dev.jgin.cli.doctor.DoctorJson;
import dev.jgin.cli.doctor.DoctorText;
import dev.jgin.cli.doctor.Examination;
import dev.jgin.cli.doctor.Status;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code jgin doctor}: what is missing here, what that disables, and how to get it. */
@Command(
    name = "doctor",
    description = {
      "Say for each thing that GPUs and networks need whether it is here: OK, MISSING or UNKNOWN,"
          + " what its absence disables, and how to get it. Changes nothing.",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    footer = {"", "Exit codes: 0, and with --strict 1 if something is missing."})
final class DoctorCommand implements Callable<Integer> {
  @Option(names = "--json", description = "One JSON document instead of text.")
  private boolean json;

  @Option(names = "--strict", description = "End with exit code 1 if something is MISSING.")
  private boolean strict;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    Examination examination = Examination.here();
    if (json) {
      out.print(DoctorJson.of(examination));
      out.flush();
    } else {
      DoctorText.print(examination, out);
    }
    return strict && examination.count(Status.MISSING) > 0 ? ExitCode.OTHER : ExitCode.OK;
  }
}
