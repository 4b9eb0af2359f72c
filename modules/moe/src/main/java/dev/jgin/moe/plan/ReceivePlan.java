// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.plan;

import java.util.Arrays;

/**
 * Where received rows go: rows of an expert are adjacent, in order of source rank, then slot. An
 * expert's first row is a multiple of the alignment; rows between its last row and the next
 * expert's first are padding.
 *
 * <p>Fill with {@link #set}, then {@link #layOut}. Reusable, allocates nothing after construction.
 * One thread at a time.
 */
public final class ReceivePlan {
  private final int sources;
  private final int experts;
  private final int alignment;
  private final int[] counts;
  private final int[] rows;
  private final long[] bounds;
  private final long[] starts;
  private final long[] expertRows;
  private long receivedRows;

  /**
   * @param sources ranks that send
   * @param experts experts of this rank; may be 0
   * @param alignment rows; at least 1
   */
  public ReceivePlan(int sources, int experts, int alignment) {
    this.sources = sources;
    this.experts = experts;
    this.alignment = alignment;
    this.counts = new int[sources * experts];
    this.rows = new int[sources];
    this.bounds = new long[sources * experts];
    this.starts = new long[experts + 1];
    this.expertRows = new long[experts];
  }

  /** Sets how many rows {@code source} sends. */
  public void setRows(int source, int rowCount) {
    rows[source] = rowCount;
  }

  /** Sets how many of the lanes that {@code source} sends name the local expert {@code expert}. */
  public void set(int source, int expert, int count) {
    counts[source * experts + expert] = count;
  }

  /** Forgets what {@code source} sends: no rows. */
  public void clear(int source) {
    rows[source] = 0;
    Arrays.fill(counts, source * experts, (source + 1) * experts, 0);
  }

  /** Computes starts and bounds from what was set. */
  public void layOut() {
    long next = 0;
    for (int e = 0; e < experts; e++) {
      starts[e] = next;
      long bound = next;
      for (int s = 0; s < sources; s++) {
        bound += counts[s * experts + e];
        bounds[s * experts + e] = bound;
      }
      expertRows[e] = bound - next;
      next = Math.ceilDiv(bound, (long) alignment) * alignment;
    }
    starts[experts] = next;
    receivedRows = 0;
    for (int s = 0; s < sources; s++) {
      receivedRows += rows[s];
    }
  }

  /** Ranks that send. */
  public int sources() {
    return sources;
  }

  /** Experts of this rank. */
  public int experts() {
    return experts;
  }

  /** Rows that {@code source} sends. */
  public int rows(int source) {
    return rows[source];
  }

  /** Rows received from all sources together. */
  public long receivedRows() {
    return receivedRows;
  }

  /** Lanes from {@code source} that name the local expert {@code expert}. */
  public int count(int source, int expert) {
    return counts[source * experts + expert];
  }

  /** The first row of {@code expert}; for {@code expert == experts()} the rows in all. */
  public long start(int expert) {
    return starts[expert];
  }

  /** Rows of {@code expert} without padding. */
  public long expertRows(int expert) {
    return expertRows[expert];
  }

  /** Rows in all, padding included. */
  public long totalRows() {
    return starts[experts];
  }

  /** The first row of {@code expert} that belongs to {@code source}. */
  public long first(int source, int expert) {
    int i = source * experts + expert;
    return bounds[i] - counts[i];
  }

  /** One past the last row of {@code expert} that belongs to {@code source}. */
  public long bound(int source, int expert) {
    return bounds[source * experts + expert];
  }
}
