// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli;

import dev.jgin.gin.BarrierProtocol;
import picocli.CommandLine.Option;

/** Who talks to whom over what, and by which protocol. */
final class CarrierOptions {
  @Option(
      names = "--ranks",
      paramLabel = "N",
      defaultValue = "8",
      description = "Ranks, all in this process; 1 to 1024. Default: 8.")
  int ranks;

  @Option(
      names = "--contexts",
      paramLabel = "N",
      defaultValue = "4",
      description = "Contexts to each peer; 1 to 256. Default: 4.")
  int contexts;

  @Option(
      names = "--fabric",
      paramLabel = "SPEC",
      description =
          "Carrier and its options, for example emulated:adversarial,a4=off; see jgin fabrics."
              + " Default: emulated (plain); for order-free emulated:granule=64, since tagged lines"
              + " must become visible whole.")
  private String fabric;

  /** The carrier for a protocol. */
  String fabric(BarrierProtocol protocol) {
    if (fabric != null) {
      return fabric;
    }
    return protocol == BarrierProtocol.ORDER_FREE ? "emulated:granule=64" : "emulated";
  }

  @Option(
      names = "--barrier",
      paramLabel = "PROTOCOL",
      defaultValue = "fan-in-all",
      description =
          "single, flush-then-single, fan-in-all, fan-in-used or order-free; several with commas,"
              + " or all, make a sweep. Default: fan-in-all: sound wherever signals stay behind"
              + " their lane's writes, at any number of contexts (fan-in-used is cheaper, up to"
              + " 32).")
  String barrier;

  @Option(
      names = "--audit",
      description =
          "Send a checksum with each row: catches torn rows, costs a pass over the bytes.")
  boolean audit;

  @Option(
      names = "--allow-unsound",
      description =
          "Run a protocol on a carrier that does not promise what it needs, and collect the"
              + " violations instead of stopping at the first.")
  boolean allowUnsound;

  @Option(
      names = "--after-connect",
      paramLabel = "COMMAND",
      description =
          "For experiments: run COMMAND by /bin/sh when all lanes are connected and before the first"
              + " row, for example to delay one of them. Its standard input has a line for each end"
              + " of each lane: rank=R context=C peer=P, and on verbs device=NAME qpn=N, the queue"
              + " pair that packets from P to R are addressed to. Its output goes to standard error;"
              + " the run ends if it fails.")
  String afterConnect;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      defaultValue = "30s",
      description = "Deadline of each wait, on the carrier's clock. Default: 30s.")
  String timeout;

  @Option(
      names = "--memory-budget",
      paramLabel = "BYTES",
      description =
          "Most off-heap bytes of the buffers of all ranks together, for example 2G. Default: half"
              + " of the machine's memory.")
  String memoryBudget;
}
