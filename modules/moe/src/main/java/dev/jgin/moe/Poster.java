// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe;

import dev.jgin.gin.Communicator;
import dev.jgin.gin.Context;
import dev.jgin.gin.Window;
import dev.jgin.gin.spi.Fabric;

/**
 * Posts the puts of one operation: many per doorbell, and knows when all of them are complete. One
 * thread at a time, the one that owns all contexts.
 */
final class Poster {
  private final Fabric fabric;
  private final Context[] contexts;
  private final int peers;
  private final boolean[] unrung;
  private final int[] unrungLanes;
  private final boolean[] used;
  private final int[] usedLanes;
  private final long[] target;
  private int unrungCount;
  private int usedCount;
  private int drained;

  Poster(Communicator comm) {
    this.fabric = comm.fabric();
    this.peers = comm.size();
    this.contexts = new Context[comm.contexts()];
    for (int c = 0; c < contexts.length; c++) {
      contexts[c] = comm.context(c);
    }
    int lanes = contexts.length * peers;
    this.unrung = new boolean[lanes];
    this.unrungLanes = new int[lanes];
    this.used = new boolean[lanes];
    this.usedLanes = new int[lanes];
    this.target = new long[lanes];
  }

  int contexts() {
    return contexts.length;
  }

  /** Begins an operation. */
  void begin() {
    for (int i = 0; i < usedCount; i++) {
      used[usedLanes[i]] = false;
    }
    usedCount = 0;
    drained = 0;
  }

  /** Posts a put of {@code bytes}; false if the lane is full, after ringing what was posted. */
  boolean post(
      int context, int peer, Window dst, long dstOffset, Window src, long srcOffset, long bytes) {
    Context on = contexts[context];
    if (!on.tryPutDeferred(peer, dst, dstOffset, src, srcOffset, bytes)) {
      ring();
      on.poll();
      if (!on.tryPutDeferred(peer, dst, dstOffset, src, srcOffset, bytes)) {
        return false;
      }
    }
    int lane = context * peers + peer;
    if (!unrung[lane]) {
      unrung[lane] = true;
      unrungLanes[unrungCount++] = lane;
    }
    if (!used[lane]) {
      used[lane] = true;
      usedLanes[usedCount++] = lane;
    }
    target[lane] = fabric.posted(context, peer);
    return true;
  }

  /** Rings each lane that has something posted. */
  void ring() {
    for (int i = 0; i < unrungCount; i++) {
      int lane = unrungLanes[i];
      unrung[lane] = false;
      contexts[lane / peers].ring(lane % peers);
    }
    unrungCount = 0;
  }

  /**
   * Whether every put of the operation is complete, so that its sources may be overwritten. Asks no
   * more than that: puts of other streams on the same lanes may still be outstanding.
   */
  boolean complete() {
    for (; drained < usedCount; drained++) {
      int lane = usedLanes[drained];
      int context = lane / peers;
      int peer = lane % peers;
      long completed = fabric.completed(context, peer);
      // A lane that was rebuilt counts anew: there, all that is posted must be complete.
      if (completed < target[lane] && completed < fabric.posted(context, peer)) {
        return false;
      }
    }
    return true;
  }

  /** What is outstanding, for messages. */
  String outstanding() {
    StringBuilder out = new StringBuilder();
    for (int i = drained; i < usedCount; i++) {
      int lane = usedLanes[i];
      long completed = fabric.completed(lane / peers, lane % peers);
      if (completed < target[lane]) {
        out.append(out.isEmpty() ? "" : ", ")
            .append("(context ")
            .append(lane / peers)
            .append(", peer ")
            .append(lane % peers)
            .append("): ")
            .append(target[lane] - completed);
      }
    }
    return "completions of puts on lanes " + (out.isEmpty() ? "none" : out);
  }
}
