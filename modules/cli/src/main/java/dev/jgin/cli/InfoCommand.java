// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli;

import dev.jgin.cli.info.Carriers;
import dev.jgin.cli.info.InfoJson;
import dev.jgin.cli.info.InfoReport;
import dev.jgin.cli.info.InfoText;
import dev.jgin.cli.info.Inquiry;
import dev.jgin.cli.info.Machine;
import dev.jgin.cli.info.Part;
import dev.jgin.cli.info.Settings;
import dev.jgin.gin.Fabrics;
import java.io.PrintWriter;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code jgin info}: what this machine, its devices, its carriers and its settings are. */
@Command(
    name = "info",
    description = {
      "Show what jgin finds here: versions, RDMA devices, what each carrier promises and which"
          + " barrier protocols are sound on it, and every setting with its value. Without an option"
          + " that names a part, all parts.",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    footer = {
      "",
      "What is missing is shown with the cause and the remedy, and is no error: exit code 0.",
      "Example: jgin info --fabric verbs:ro=on --fabric emulated:adversarial,a4=off"
    })
final class InfoCommand implements Runnable {
  @Option(names = "--machine", description = "Versions, processors and memory.")
  private boolean machine;

  @Option(names = "--devices", description = "The devices of each carrier, with ports and GIDs.")
  private boolean devices;

  @Option(names = "--fabrics", description = "The carriers and what they promise.")
  private boolean fabrics;

  @Option(
      names = "--settings",
      description = "The settings, where each value comes from, and names that nothing reads.")
  private boolean settings;

  @Option(
      names = "--fabric",
      paramLabel = "SPEC",
      description =
          "Instead of every carrier show what this one promises with these options, for example"
              + " emulated:granule=64; may be given again. Implies --fabrics.")
  private List<String> specifications = List.of();

  @Option(names = "--json", description = "One JSON document instead of text.")
  private boolean json;

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    PrintWriter out = spec.commandLine().getOut();
    InfoReport report = report();
    if (json) {
      out.print(InfoJson.of(report));
    } else {
      new InfoText(out).print(report);
    }
  }

  private InfoReport report() {
    Inquiry inquiry =
        new Inquiry(
            new Carriers(Fabrics.all()), new Settings(System.getenv(), System.getProperties()));
    try {
      return inquiry.report(parts(), Machine.here(Version.text()), specifications);
    } catch (IllegalArgumentException e) {
      if (specifications.isEmpty()) {
        throw e;
      }
      throw new UsageException("--fabric: " + e.getMessage(), e);
    }
  }

  private Set<Part> parts() {
    Set<Part> parts = EnumSet.noneOf(Part.class);
    add(parts, machine, Part.MACHINE);
    add(parts, devices, Part.DEVICES);
    add(parts, fabrics || !specifications.isEmpty(), Part.FABRICS);
    add(parts, settings, Part.SETTINGS);
    return parts.isEmpty() ? EnumSet.allOf(Part.class) : parts;
  }

  private static void add(Set<Part> parts, boolean wanted, Part part) {
    if (wanted) {
      parts.add(part);
    }
  }
}
