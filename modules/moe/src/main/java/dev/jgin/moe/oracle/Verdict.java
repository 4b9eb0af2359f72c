// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.oracle;

import java.util.ArrayList;
import java.util.List;

/**
 * How many values were compared, how many were wrong, and the first few of the wrong ones. One
 * thread at a time; {@link #add} joins what several threads found.
 */
public final class Verdict {
  /** Mismatches kept; the rest are counted. */
  public static final int KEPT = 8;

  private final List<Mismatch> first = new ArrayList<>();
  private long compared;
  private long wrong;

  /** Compares one value, bit by bit. */
  void compare(int rank, String what, long row, long element, long expected, long seen) {
    compared++;
    if (expected != seen) {
      wrong++;
      if (first.size() < KEPT) {
        first.add(new Mismatch(rank, what, row, element, expected, seen));
      }
    }
  }

  /** Notes {@code count} values that were found right as a whole. */
  void right(long count) {
    compared += count;
  }

  /** Takes over what {@code other} found. */
  public void add(Verdict other) {
    compared += other.compared;
    wrong += other.wrong;
    for (Mismatch mismatch : other.first) {
      if (first.size() < KEPT) {
        first.add(mismatch);
      }
    }
  }

  /** Values compared: elements, scales, origins, counts and starts. */
  public long compared() {
    return compared;
  }

  /** Values that were wrong: the {@code #wrong} of reports. */
  public long wrong() {
    return wrong;
  }

  /** The first wrong values, at most {@value #KEPT}. */
  public List<Mismatch> first() {
    return List.copyOf(first);
  }

  /** The count and the first wrong values, one a line. */
  public String describe() {
    StringBuilder out = new StringBuilder();
    out.append(wrong).append(" of ").append(compared).append(" values wrong");
    for (Mismatch mismatch : first) {
      out.append("\n  ").append(mismatch.describe());
    }
    return out.toString();
  }
}
