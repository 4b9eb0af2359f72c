// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.report;

/**
 * How evenly something was spread over experts or ranks.
 *
 * @param largest the largest load, and {@code largestAt} the first place that has it
 * @param smallest the smallest load, and {@code smallestAt} the first place that has it
 * @param mean the mean over all places
 */
public record Loads(long largest, int largestAt, long smallest, int smallestAt, double mean) {

  /** The spread of {@code loads}, of which there is at least one. */
  public static Loads of(long[] loads) {
    int largest = 0;
    int smallest = 0;
    double sum = 0;
    for (int i = 0; i < loads.length; i++) {
      sum += loads[i];
      largest = loads[i] > loads[largest] ? i : largest;
      smallest = loads[i] < loads[smallest] ? i : smallest;
    }
    return new Loads(loads[largest], largest, loads[smallest], smallest, sum / loads.length);
  }

  /** The largest load over the mean: 1 is even. 1 too if there is no load at all. */
  public double skew() {
    return mean == 0 ? 1 : largest / mean;
  }
}
