// SPDX-License-Identifier: Apache-2.0
package dev.jgin.bench;

import java.util.Arrays;
import java.util.List;

/**
 * Compares tasks by running them in turn, many short batches each, within one JVM: frequency steps,
 * noisy neighbours and the state of the heap then weigh on all of them alike.
 */
final class InTurn {
  private static final int ROUNDS = 25;
  private static final long BATCH_NANOS = 5_000_000L;
  private static final long WARMUP_NANOS = 300_000_000L;

  private InTurn() {}

  /** What is compared. */
  record Task(String name, Runnable call) {}

  /**
   * One task's outcome.
   *
   * @param nanosPerCall median over the rounds
   * @param ratio median over the rounds of its time to the first task's time in the same round
   * @param lower a quarter of the rounds had a smaller ratio
   * @param upper a quarter of the rounds had a larger ratio
   */
  record Figures(String name, double nanosPerCall, double ratio, double lower, double upper) {}

  /** Measures {@code tasks}; the first is what the others are compared with. */
  static List<Figures> measure(List<Task> tasks) {
    long[] calls = new long[tasks.size()];
    for (int t = 0; t < calls.length; t++) {
      calls[t] = warmUp(tasks.get(t).call());
    }
    double[][] nanos = new double[tasks.size()][ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
      // Who goes first rotates: nobody always inherits the same neighbour's caches.
      for (int i = 0; i < calls.length; i++) {
        int t = (round + i) % calls.length;
        nanos[t][round] = time(tasks.get(t).call(), calls[t]) / (double) calls[t];
      }
    }
    Figures[] figures = new Figures[tasks.size()];
    for (int t = 0; t < figures.length; t++) {
      figures[t] = figures(tasks.get(t).name(), nanos[t], nanos[0]);
    }
    return List.of(figures);
  }

  /**
   * Warms up and returns how many calls fill a batch, going by the fastest of several growing
   * batches: one that was interrupted by something else would give too few.
   */
  private static long warmUp(Runnable call) {
    long start = System.nanoTime();
    double perCall = Double.MAX_VALUE;
    for (long calls = 1; System.nanoTime() - start < WARMUP_NANOS; ) {
      long nanos = Math.max(1, time(call, calls));
      perCall = Math.min(perCall, nanos / (double) calls);
      if (nanos < BATCH_NANOS) {
        calls *= 2;
      }
    }
    return Math.max(1, (long) (BATCH_NANOS / perCall));
  }

  private static long time(Runnable call, long calls) {
    long start = System.nanoTime();
    for (long i = 0; i < calls; i++) {
      call.run();
    }
    return System.nanoTime() - start;
  }

  private static Figures figures(String name, double[] nanos, double[] base) {
    double[] ratios = new double[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
      ratios[round] = nanos[round] / base[round];
    }
    Arrays.sort(ratios);
    double[] sorted = nanos.clone();
    Arrays.sort(sorted);
    return new Figures(
        name,
        sorted[ROUNDS / 2],
        ratios[ROUNDS / 2],
        ratios[ROUNDS / 4],
        ratios[ROUNDS - 1 - ROUNDS / 4]);
  }
}
