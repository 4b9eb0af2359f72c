// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe;

import java.util.Arrays;

/**
 * Where each row of a dispatch came from and goes back to. Plain arrays; the epilogue writes them,
 * combine and the caller read them.
 */
final class Origins {
  static final int NOBODY = -1;

  private final int topK;

  /** By expert row: the received row it was copied from, or {@link #NOBODY}. */
  final int[] received;

  /** By expert row: the lane it serves. */
  final int[] lane;

  /** By expert row: the weight of that lane. */
  final float[] weight;

  /** By received row: the source, or {@link #NOBODY} if the row was left out. */
  final int[] source;

  /** By received row: the token at its source. */
  final int[] token;

  /** By received row: the first of its lanes that names a local expert. */
  final int[] firstLane;

  /** By received row: how many other ranks serve an earlier lane of the token. */
  final int[] ordinal;

  /** By received row and one more: where its lanes begin in {@link #rows}. */
  final int[] rowsStart;

  /** Expert rows in order of received row, then lane. */
  final int[] rows;

  /** One-row-per-token, by received row and lane: the local expert, or {@link #NOBODY}. */
  final int[] localExpert;

  /** One-row-per-token, by received row and lane: the weight. */
  final float[] laneWeight;

  Origins(Geometry g) {
    boolean expanded = g.config.layout() == ExpertLayout.EXPANDED;
    topK = g.topK;
    received = new int[g.expertRows];
    lane = new int[expanded ? g.expertRows : 0];
    weight = new float[expanded ? g.expertRows : 0];
    source = new int[g.receivedRows];
    token = new int[g.receivedRows];
    firstLane = new int[g.receivedRows];
    ordinal = new int[g.receivedRows];
    rowsStart = new int[g.receivedRows + 1];
    rows = new int[expanded ? g.expertRows : 0];
    int lanes = expanded ? 0 : Math.multiplyExact(g.receivedRows, topK);
    localExpert = new int[lanes];
    laneWeight = new float[lanes];
    Arrays.fill(received, NOBODY);
  }

  int laneIndex(int receivedRow, int lane) {
    return receivedRow * topK + lane;
  }
}
