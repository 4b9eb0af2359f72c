// SPDX-License-Identifier: Apache-2.0
package dev.jgin.bench;

import com.sun.management.ThreadMXBean;
import dev.jgin.moe.CombineMode;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * The four passes of a layer, each against {@link RowCopies} of the bytes it moves, in turn within
 * one run; and the bytes a layer allocates.
 */
final class EpRatios {
  private static final int RANKS = 8;
  private static final int CONTEXTS = 4;
  private static final int HIDDEN = 7168;
  private static final int WARMUP_ROUNDS = 15;
  private static final int ROUNDS = 25;

  private EpRatios() {}

  private record Pass(String name, Runnable run, RowCopies copies) {}

  static void print(PrintStream out, String fabric, int... tokensPerRank) {
    out.printf(
        "%n# a layer of %d ranks x %d contexts on one thread, top-8 of 256, hidden %d BF16,"
            + " cached plan, canonical combine, fabric %s%n",
        RANKS, CONTEXTS, HIDDEN, fabric);
    out.println(
        "# ratio: speed of the pass to MemorySegment.copy of the bytes it moves (reduce: reads),");
    out.println("# median [quartiles] of the rounds; 1.00 = as fast as the copy");
    out.printf(
        "%12s %10s %10s %10s %10s  %20s%n", "tokens/rank", "pass", "MB", "ms", "GB/s", "ratio");
    for (int tokens : tokensPerRank) {
      printTokens(out, fabric, tokens);
    }
  }

  private static void printTokens(PrintStream out, String fabric, int tokens) {
    try (EpWorld world =
        new EpWorld(fabric, RANKS, CONTEXTS, tokens, HIDDEN, CombineMode.CANONICAL)) {
      world.layer();
      long payload = world.payloadBytes();
      try (RowCopies sent = new RowCopies(world.sentRows(), payload, world.rowStride());
          RowCopies expert = new RowCopies(world.expertRows(), payload, payload)) {
        List<Pass> passes =
            List.of(
                new Pass("dispatch", world::dispatch, sent),
                new Pass("epilogue", world::epilogue, expert),
                new Pass("combine", world::combine, expert),
                new Pass("reduce", world::reduce, expert));
        measure(out, tokens, passes);
      }
      printAllocation(out, tokens, world);
    }
  }

  private static void measure(PrintStream out, int tokens, List<Pass> passes) {
    double[][] nanos = new double[passes.size()][ROUNDS];
    double[][] ratios = new double[passes.size()][ROUNDS];
    for (int round = -WARMUP_ROUNDS; round < ROUNDS; round++) {
      for (int p = 0; p < passes.size(); p++) {
        double pass = time(passes.get(p).run());
        double copy = time(passes.get(p).copies()::run);
        if (round >= 0) {
          nanos[p][round] = pass;
          ratios[p][round] = copy / pass;
        }
      }
    }
    for (int p = 0; p < passes.size(); p++) {
      Arrays.sort(nanos[p]);
      Arrays.sort(ratios[p]);
      double median = nanos[p][ROUNDS / 2];
      long bytes = passes.get(p).copies().bytes();
      String ratio =
          String.format(
              Locale.ROOT,
              "%.2f [%.2f, %.2f]",
              ratios[p][ROUNDS / 2],
              ratios[p][ROUNDS / 4],
              ratios[p][ROUNDS - 1 - ROUNDS / 4]);
      out.printf(
          Locale.ROOT,
          "%12d %10s %10.1f %10.3f %10.2f  %20s%n",
          tokens,
          passes.get(p).name(),
          bytes / 1e6,
          median / 1e6,
          bytes / median,
          ratio);
    }
  }

  private static double time(Runnable run) {
    long start = System.nanoTime();
    run.run();
    return System.nanoTime() - start;
  }

  private static void printAllocation(PrintStream out, int tokens, EpWorld world) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < ROUNDS; i++) {
      world.layer();
    }
    long allocated = threads.getCurrentThreadAllocatedBytes() - before;
    out.printf(
        "%12d %10s %d bytes allocated by %d layers of all ranks%n",
        tokens, "heap", allocated, ROUNDS);
  }
}
