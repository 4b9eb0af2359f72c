// SPDX-License-Identifier: Apache-2.0
package dev.jgin.bench;

import dev.jgin.gin.BarrierProtocol;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What soundness costs: each sound protocol against FLUSH_THEN_SINGLE_CONTEXT, which is what was in
 * use where the race was seen.
 */
final class BarrierRatios {
  private static final List<BarrierProtocol> PROTOCOLS =
      List.of(
          BarrierProtocol.FLUSH_THEN_SINGLE_CONTEXT,
          BarrierProtocol.FAN_IN_ALL_CONTEXTS,
          BarrierProtocol.FAN_IN_USED_CONTEXTS,
          BarrierProtocol.ORDER_FREE);

  private BarrierRatios() {}

  static void print(PrintStream out, String fabric) {
    out.println(
        "# one epoch of all ranks on one thread, one 64-byte put per peer, fabric " + fabric);
    out.println("# ratio to FLUSH_THEN_SINGLE_CONTEXT (unsound), median [quartiles] of the rounds");
    out.printf("%8s %5s %12s", "contexts", "ranks", "flush us");
    for (BarrierProtocol protocol : PROTOCOLS.subList(1, PROTOCOLS.size())) {
      out.printf("  %22s", protocol);
    }
    out.println();
    for (int contexts : new int[] {1, 4, 16}) {
      for (int ranks : new int[] {2, 8, 32}) {
        printRow(out, fabric, contexts, ranks);
      }
    }
  }

  private static void printRow(PrintStream out, String fabric, int contexts, int ranks) {
    List<BarrierWorld> worlds = new ArrayList<>();
    try {
      List<InTurn.Task> tasks = new ArrayList<>();
      for (BarrierProtocol protocol : PROTOCOLS) {
        BarrierWorld world = new BarrierWorld(fabric, protocol, contexts, ranks);
        worlds.add(world);
        tasks.add(new InTurn.Task(protocol.name(), world::epoch));
      }
      List<InTurn.Figures> figures = InTurn.measure(tasks);
      out.printf(
          Locale.ROOT,
          "%8d %5d %12.2f",
          contexts,
          ranks,
          figures.getFirst().nanosPerCall() / 1_000);
      for (InTurn.Figures f : figures.subList(1, figures.size())) {
        String cell =
            String.format(Locale.ROOT, "%.2f [%.2f, %.2f]", f.ratio(), f.lower(), f.upper());
        out.printf("  %22s", cell);
      }
      out.println();
    } finally {
      worlds.forEach(BarrierWorld::close);
    }
  }
}
