// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe;

import dev.jgin.gin.FreshnessCheck;
import dev.jgin.moe.plan.SendPlan;
import java.lang.foreign.MemorySegment;

/**
 * What ORDER_FREE asks of a stream: are all rows of a member here? Each look goes on where the last
 * one found a stale line, so that waiting costs no more looks than there are lines.
 */
final class Freshness {
  private final Geometry g;
  private final Wire wire;
  private final MemorySegment rows;
  private final MemorySegment returns;
  private final CountExchange counts;
  private final long[] epochs;
  private final int[] positions;
  private final long[] returnEpochs;
  private final int[] entries;
  private final long[] expected;
  private SendPlan send;

  Freshness(Geometry g, StreamBuffers buffers, CountExchange counts, Wire wire) {
    this.g = g;
    this.wire = wire;
    this.rows = buffers.receiveRows.local();
    this.returns = buffers.receiveReturns.local();
    this.counts = counts;
    this.epochs = new long[g.ranks];
    this.positions = new int[g.ranks];
    this.returnEpochs = new long[g.ranks];
    this.entries = new int[g.ranks];
    this.expected = new long[g.ranks];
  }

  /** Begins a combine of what {@code plan} sent. */
  void expectReturns(SendPlan plan) {
    send = plan;
    for (int member = 0; member < g.ranks; member++) {
      expected[member] = plan.rows(member);
      if (g.config.combine() == CombineMode.CANONICAL) {
        expected[member] = 0;
        int end = g.placement.firstExpert(member + 1);
        for (int e = g.placement.firstExpert(member); e < end; e++) {
          expected[member] += plan.expertRows(e);
        }
      }
    }
  }

  /** As {@link FreshnessCheck}: dispatched rows and the count block. */
  boolean dispatched(int member, long announced, long epoch) {
    if (epochs[member] != epoch) {
      epochs[member] = epoch;
      positions[member] = 0;
    }
    long count = Math.min(announced, g.tokens);
    for (; positions[member] < count; positions[member]++) {
      long at = g.receivedAt(epoch, member, positions[member]);
      if (!wire.fresh(rows, at, g.row.bytes(), epoch)) {
        return false;
      }
    }
    return counts.fresh(member, epoch);
  }

  /** As {@link FreshnessCheck}: the rows that return from a member. */
  boolean returned(int member, long announced, long epoch) {
    if (announced != expected[member]) {
      // The member left rows out that it found wrong: the reducer names those that are missing.
      return true;
    }
    if (returnEpochs[member] != epoch) {
      returnEpochs[member] = epoch;
      entries[member] = send.firstEntryOf(member);
    }
    for (; entries[member] >= 0; entries[member] = send.nextEntry(entries[member])) {
      if (!entryReturned(entries[member], member, epoch)) {
        return false;
      }
    }
    return true;
  }

  private boolean entryReturned(int entry, int member, long epoch) {
    int token = send.token(entry);
    long first = (long) token * g.lanes;
    if (g.config.combine() == CombineMode.REDUCED) {
      return fresh(first + entry - send.firstEntry(token), epoch);
    }
    for (int k = 0; k < g.topK; k++) {
      int id = send.id(token, k);
      if (id >= 0 && g.placement.owner(id) == member && !fresh(first + k, epoch)) {
        return false;
      }
    }
    return true;
  }

  private boolean fresh(long slot, long epoch) {
    return wire.fresh(returns, g.returnedAt(epoch, slot), g.combine.bytes(), epoch);
  }
}
