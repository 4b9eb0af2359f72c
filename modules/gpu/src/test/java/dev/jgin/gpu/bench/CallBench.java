// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gpu.bench;

import dev.jgin.gpu.Gpu;
import dev.jgin.gpu.GpuContext;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Nanoseconds of a launch, a query and a round trip GPU → CPU → GPU: from Java through prebuilt
 * handles, from Java through JCuda, and from C. Java and C take turns, run by run; each figure is
 * the median of the runs with the least and the most.
 */
public final class CallBench {
  /** Batches of a run; its figure is their median. */
  static final int BATCHES = 201;

  /** Calls of a batch: fewer than a stream holds before a launch has to wait. */
  static final int CALLS = 200;

  /** Round trips of a run; its figure is their mean on the GPU's timer. */
  static final int ROUNDS = 50_000;

  private static final int RUNS = 7;

  private CallBench() {}

  /** Argument: the number of runs, 7 if it is not given. */
  public static void main(String[] args) throws IOException, InterruptedException {
    int runs = args.length > 0 ? Integer.parseInt(args[0]) : RUNS;
    System.out.println(
        Gpu.device(0).name()
            + ", driver for CUDA "
            + Gpu.driverVersion() / 1000
            + "."
            + Gpu.driverVersion() % 1000 / 10
            + ", Java "
            + Runtime.version()
            + "; "
            + runs
            + " runs of "
            + BATCHES
            + " x "
            + CALLS
            + " calls, "
            + ROUNDS
            + " round trips");
    Map<String, List<Double>> figures = new LinkedHashMap<>();
    try (Twin twin = new Twin();
        GpuContext context = Gpu.device(0).open();
        JavaCalls calls = new JavaCalls(context)) {
      calls.measure(); // compiles
      for (int run = 0; run < runs; run++) {
        add(figures, "java ", calls.measure());
        add(figures, "c ", twin.measure());
      }
      twin.problem().ifPresent(problem -> System.out.println("!! NO TWIN IN C: " + problem));
    }
    print(figures);
  }

  private static void add(
      Map<String, List<Double>> figures, String prefix, Map<String, Double> run) {
    run.forEach(
        (name, nanos) -> figures.computeIfAbsent(prefix + name, _ -> new ArrayList<>()).add(nanos));
  }

  private static void print(Map<String, List<Double>> figures) {
    System.out.println("| nanoseconds | Java, FFM | Java, JCuda | C | FFM / C |");
    System.out.println("|---|---|---|---|---|");
    for (String name :
        List.of("launch-ex", "launch-dependent", "launch-plain", "stream-query", "ping")) {
      Optional<double[]> java = sorted(figures.get("java " + name));
      Optional<double[]> twin = sorted(figures.get("c " + name));
      String ratio =
          java.isPresent() && twin.isPresent()
              ? "%.2f".formatted(median(java.get()) / median(twin.get()))
              : "";
      System.out.printf(
          "| %s | %s | %s | %s | %s |%n",
          name, words(java), words(sorted(figures.get("java jcuda-" + name))), words(twin), ratio);
    }
  }

  private static Optional<double[]> sorted(List<Double> nanos) {
    return Optional.ofNullable(nanos)
        .map(list -> list.stream().mapToDouble(Double::doubleValue).sorted().toArray());
  }

  static double median(double[] sorted) {
    return sorted[sorted.length / 2];
  }

  /** The median of unsorted numbers, which are sorted by it. */
  static double medianOf(double[] numbers) {
    Arrays.sort(numbers);
    return median(numbers);
  }

  private static String words(Optional<double[]> sorted) {
    return sorted
        .map(all -> "%.1f (%.1f–%.1f)".formatted(median(all), all[0], all[all.length - 1]))
        .orElse("");
  }
}
