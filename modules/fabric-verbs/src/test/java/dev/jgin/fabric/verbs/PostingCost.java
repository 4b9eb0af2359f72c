// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.verbs;

import dev.jgin.gin.spi.Region;
import dev.jgin.gin.spi.RegionKind;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;

/**
 * What posting and polling cost over a device, with the calls of the hot path plain and critical,
 * in turn: an 8-byte write of one rank to itself, posted and rung, and a poll that finds nothing.
 * Prints least, median and quartiles over the rounds, in nanoseconds a call.
 */
final class PostingCost {

  private static final PrintStream OUT = System.out;
  private static final int CALLS = 2_000;

  private PostingCost() {}

  /** Takes a fabric without the option {@code critical}, and the number of rounds. */
  public static void main(String[] args) {
    int rounds = Integer.parseInt(args[1]);
    String with = args[0] + (args[0].contains(":") ? "," : ":") + "critical=";
    try (Ranks plain = Ranks.open(with + "off", 1, 1);
        Ranks critical = Ranks.open(with + "on", 1, 1);
        Ranks auto = Ranks.open(with + "auto", 1, 1)) {
      List<Ranks> all = List.of(plain, critical, auto);
      all.forEach(ranks -> OUT.println(ranks.fabric(0).describe()));
      List<Region> regions =
          all.stream()
              .map(ranks -> ranks.register("cell", 64, RegionKind.SIGNAL).getFirst())
              .toList();
      double[][] post = new double[all.size()][rounds];
      double[][] poll = new double[all.size()][rounds];
      for (int r = -rounds / 4; r < rounds; r++) {
        for (int which = 0; which < all.size(); which++) {
          VerbsFabric fabric = all.get(which).fabric(0);
          poll[which][Math.max(r, 0)] = pollEmpty(fabric);
          post[which][Math.max(r, 0)] = postAndRing(all.get(which), regions.get(which));
        }
      }
      List<String> names = List.of("plain", "critical", "auto");
      for (int which = 0; which < all.size(); which++) {
        print("post and ring, " + names.get(which), post[which]);
        print("empty poll, " + names.get(which), poll[which]);
      }
    }
  }

  private static double pollEmpty(VerbsFabric fabric) {
    long start = System.nanoTime();
    for (int i = 0; i < CALLS; i++) {
      fabric.poll(0);
    }
    return (double) (System.nanoTime() - start) / CALLS;
  }

  /** Posting alone is timed; completions are awaited between the bursts. */
  private static double postAndRing(Ranks ranks, Region region) {
    VerbsFabric fabric = ranks.fabric(0);
    int burst = fabric.laneDepth() / 2;
    long spent = 0;
    for (int done = 0; done < CALLS; done += burst) {
      long start = System.nanoTime();
      for (int i = 0; i < burst; i++) {
        long ignored = fabric.writeInline(0, 0, region, 0, i, 8);
        fabric.ring(0, 0);
      }
      spent += System.nanoTime() - start;
      ranks.await("the burst", () -> fabric.completed(0, 0) == fabric.posted(0, 0));
    }
    return (double) spent / ((CALLS + burst - 1) / burst * burst);
  }

  private static void print(String what, double[] nanos) {
    Arrays.sort(nanos);
    int n = nanos.length;
    OUT.printf(
        "%-24s %8.0f least, %8.0f [%.0f, %.0f]%n",
        what, nanos[0], nanos[n / 2], nanos[n / 4], nanos[3 * n / 4]);
  }
}
