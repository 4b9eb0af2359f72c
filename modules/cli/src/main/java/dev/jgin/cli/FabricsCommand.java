// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli;

import dev.jgin.cli.info.Carriers;
import dev.jgin.gin.Fabrics;
import dev.jgin.gin.spi.FabricProvider;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code jgin fabrics}: which carriers this installation has and which of them work here. */
@Command(
    name = "fabrics",
    description =
        "List the carriers of this installation: available here, or why not. jgin info tells more.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class)
final class FabricsCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    PrintWriter out = spec.commandLine().getOut();
    for (Carriers.Carrier carrier : new Carriers(Fabrics.all()).all()) {
      FabricProvider provider = carrier.provider();
      out.printf("%-12s %s%n", provider.name(), provider.summary());
      out.printf(
          "%-12s %s%n",
          "", carrier.cause().map(cause -> "not available: " + cause).orElse("available"));
    }
  }
}
