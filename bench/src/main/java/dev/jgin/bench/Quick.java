// SPDX-License-Identifier: Apache-2.0
package dev.jgin.bench;

import java.util.Arrays;

/** The quick set: a page of ratios in a few minutes. */
public final class Quick {
  private Quick() {}

  /**
   * Runs it on the fabric that {@code args[0]} names, {@code emulated} without one. Further
   * arguments are tokens per rank: then only layers of those sizes are measured.
   */
  @SuppressWarnings("SystemOut") // the table is what this program is for
  public static void main(String[] args) {
    String fabric = args.length > 0 ? args[0] : "emulated";
    System.out.printf(
        "# JVM %s, %d cores, %s%n",
        Runtime.version(),
        Runtime.getRuntime().availableProcessors(),
        System.getProperty("os.arch"));
    if (args.length > 1) {
      int[] tokens = Arrays.stream(args).skip(1).mapToInt(Integer::parseInt).toArray();
      EpRatios.print(System.out, fabric, tokens);
    } else {
      BarrierRatios.print(System.out, fabric);
      ProxyRatios.print(System.out, fabric);
      EpRatios.print(System.out, fabric, 16, 128, 512);
    }
  }
}
