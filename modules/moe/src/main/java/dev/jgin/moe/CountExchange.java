// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe;

import static dev.jgin.moe.layout.Words.INT;
import static dev.jgin.moe.layout.Words.LONG;

import dev.jgin.moe.check.Check;
import dev.jgin.moe.check.Checksum;
import dev.jgin.moe.check.Symptom;
import dev.jgin.moe.check.Violation;
import dev.jgin.moe.layout.CountLayout;
import dev.jgin.moe.plan.Placement;
import dev.jgin.moe.plan.SendPlan;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Writes the count blocks that a rank sends and reads those it received. They ride context 0, apart
 * from most rows, so they may be here when rows are not: that is why rows carry their own epoch.
 */
final class CountExchange {
  private static final long SEED = 0x6A67_696E;

  private final Geometry g;
  private final StreamBuffers buffers;
  private final ViolationLog log;
  private final String operation;
  private final boolean checked;
  private final Wire wire;
  private final MemorySegment raw;

  CountExchange(Geometry g, StreamBuffers buffers, ViolationLog log, int stream, Arena arena) {
    this.g = g;
    this.buffers = buffers;
    this.log = log;
    this.operation = "dispatch, stream " + stream + ": count block";
    this.checked = g.config.checks().contains(Check.COUNT_BLOCK);
    this.wire = new Wire(g.lines, g.count.bytes(), 1, arena);
    this.raw =
        g.lines == null ? buffers.sendCounts.local() : arena.allocate(g.ranks * g.countStride, 16);
  }

  /** Bytes on the wire of a block. */
  long wireBytes(boolean cached) {
    return g.wire(cached ? CountLayout.HEAD : g.count.bytes());
  }

  /** Where the block for {@code peer} stands in the send window. */
  long sendAt(int peer) {
    return peer * g.countStride;
  }

  /** Writes and seals the block for {@code peer}. */
  void write(EpPlan plan, int peer, long epoch) {
    long at = sendAt(peer);
    SendPlan send = plan.send;
    Placement placement = g.placement;
    int first = placement.firstExpert(peer);
    int experts = placement.localExperts(peer);
    long hash = Checksum.mix(Checksum.mix(SEED, send.rows(peer)), send.tokens());
    for (int e = 0; e < experts; e++) {
      int count = send.expertRows(first + e);
      hash = Checksum.mix(hash, count);
      raw.set(INT, at + CountLayout.countAt(e), count);
    }
    raw.set(LONG, at + CountLayout.EPOCH, epoch);
    raw.set(LONG, at + CountLayout.HASH, hash);
    raw.set(INT, at + CountLayout.ROWS, send.rows(peer));
    raw.set(INT, at + CountLayout.SOURCE_RANK, g.rank);
    raw.set(INT, at + CountLayout.TOKENS, send.tokens());
    raw.set(INT, at + CountLayout.CACHED, plan.cached ? 1 : 0);
    long bytes = plan.cached ? CountLayout.HEAD : g.count.bytes();
    wire.seal(raw, at, bytes, buffers.sendCounts, epoch);
  }

  /** ORDER_FREE: whether the block of {@code source} is here. */
  boolean fresh(int source, long epoch) {
    MemorySegment received = buffers.receiveCounts.local();
    long at = g.countAt(epoch, source);
    if (!wire.fresh(received, at, CountLayout.HEAD, epoch)
        || !wire.open(0, received, at, CountLayout.HEAD, epoch)) {
      return false;
    }
    return wire.segment().get(INT, wire.at(0) + CountLayout.CACHED) == 1
        || wire.fresh(received, at, g.count.bytes(), epoch);
  }

  /** Reads the block of every source into {@code plan} and lays the plan out. */
  void read(EpPlan plan, long epoch) {
    for (int s = 0; s < g.ranks; s++) {
      read(plan, s, epoch);
    }
    plan.receive.layOut();
  }

  private void read(EpPlan plan, int source, long epoch) {
    long bytes = plan.cached ? CountLayout.HEAD : g.count.bytes();
    MemorySegment received = buffers.receiveCounts.local();
    boolean fresh = wire.open(0, received, g.countAt(epoch, source), bytes, epoch);
    MemorySegment block = wire.segment();
    long at = wire.at(0);
    long hash = block.get(LONG, at + CountLayout.HASH);
    int rows = block.get(INT, at + CountLayout.ROWS);
    int tokens = block.get(INT, at + CountLayout.TOKENS);
    if (checked && !sound(plan, source, epoch, block, at, fresh)) {
      if (!plan.cached) {
        plan.receive.clear(source);
        plan.sourceTokens[source] = 0;
      }
      return;
    }
    if (plan.cached) {
      return;
    }
    plan.sourceHash[source] = hash;
    plan.sourceTokens[source] = tokens;
    plan.receive.setRows(source, rows);
    for (int e = 0; e < g.localExperts; e++) {
      plan.receive.set(source, e, block.get(INT, at + CountLayout.countAt(e)));
    }
  }

  private boolean sound(
      EpPlan plan, int source, long epoch, MemorySegment block, long at, boolean fresh) {
    long seen = block.get(LONG, at + CountLayout.EPOCH);
    int from = block.get(INT, at + CountLayout.SOURCE_RANK);
    int rows = block.get(INT, at + CountLayout.ROWS);
    int tokens = block.get(INT, at + CountLayout.TOKENS);
    boolean cached = block.get(INT, at + CountLayout.CACHED) == 1;
    if (seen != epoch) {
      report(Symptom.MISSING, source, epoch, seen, "not of this epoch");
    } else if (from != source) {
      report(Symptom.PHANTOM, source, epoch, seen, "says it is from rank " + from);
    } else if (cached && !plan.cached) {
      report(
          Symptom.MISSING,
          source,
          epoch,
          seen,
          "has no counts: rank "
              + source
              + " uses its plan again, this rank has a new one; every rank must do alike");
    } else if (!fresh) {
      report(Symptom.TORN, source, epoch, seen, "is not here whole");
    } else if (rows < 0 || rows > tokens || tokens > g.tokens) {
      report(
          Symptom.OUT_OF_BOUNDS,
          source,
          epoch,
          seen,
          rows + " rows of " + tokens + " tokens, at most " + g.tokens);
    } else if (block.get(LONG, at + CountLayout.HASH) != expectedHash(plan, source, block, at)) {
      report(
          Symptom.TORN,
          source,
          epoch,
          seen,
          plan.cached ? "not the counts of the cached plan" : "hash does not match the counts");
    } else {
      return true;
    }
    return false;
  }

  private long expectedHash(EpPlan plan, int source, MemorySegment block, long at) {
    if (plan.cached) {
      return plan.sourceHash[source];
    }
    long hash = Checksum.mix(SEED, block.get(INT, at + CountLayout.ROWS));
    hash = Checksum.mix(hash, block.get(INT, at + CountLayout.TOKENS));
    for (int e = 0; e < g.localExperts; e++) {
      hash = Checksum.mix(hash, block.get(INT, at + CountLayout.countAt(e)));
    }
    return hash;
  }

  private void report(Symptom symptom, int source, long epoch, long seen, String detail) {
    log.report(
        List.of(
            new Violation(
                symptom,
                Check.COUNT_BLOCK,
                g.rank,
                source,
                0,
                Violation.UNKNOWN,
                epoch,
                seen,
                operation + ' ' + detail)));
  }
}
