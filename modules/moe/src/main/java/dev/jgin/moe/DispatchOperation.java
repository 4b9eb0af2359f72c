// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe;

import static dev.jgin.moe.layout.Words.FLOAT;
import static dev.jgin.moe.layout.Words.INT;
import static dev.jgin.moe.layout.Words.LONG;

import dev.jgin.gin.Barrier;
import dev.jgin.gin.Communicator;
import dev.jgin.moe.layout.RowLayout;
import dev.jgin.moe.plan.SendPlan;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** One dispatch: a row per (token, destination rank), a count block per rank, then the epilogue. */
final class DispatchOperation extends Operation {
  private final StreamBuffers buffers;
  private final CountExchange counts;
  private final Epilogue epilogue;
  private final Wire wire;
  private final ViolationLog log;
  private final MemorySegment raw;
  private final int stream;
  private final long wireBytes;

  private EpPlan plan;
  private int token;
  private int entry;
  private int peer;
  private boolean tokenReady;
  private boolean blockReady;
  private boolean countsRead;

  DispatchOperation(
      Communicator comm,
      Geometry g,
      Barrier barrier,
      StreamBuffers buffers,
      CountExchange counts,
      Epilogue epilogue,
      ViolationLog log,
      Arena arena,
      int stream) {
    super(comm, g, barrier, "dispatch, stream " + stream);
    this.buffers = buffers;
    this.counts = counts;
    this.epilogue = epilogue;
    this.wire = new Wire(g.lines, 0, 0, arena);
    this.log = log;
    this.raw = buffers.rawRows;
    this.stream = stream;
    this.wireBytes = g.wire(g.row.bytes());
  }

  void begin(EpPlan ofPlan) {
    plan = ofPlan;
    token = 0;
    entry = 0;
    peer = 0;
    tokenReady = false;
    blockReady = false;
    countsRead = false;
    plan.inFirstDispatch = !plan.cached;
    log.begin();
    start();
  }

  @Override
  int posted() {
    return entry + peer;
  }

  @Override
  boolean postSome() {
    SendPlan send = plan.send;
    int contexts = poster.contexts();
    for (int left = rowsPerStep; token < send.tokens(); token++) {
      long offset = token * g.rowStride;
      for (int end = send.firstEntry(token + 1); entry < end; entry++) {
        if (left-- == 0) {
          return false;
        }
        if (!tokenReady) {
          writeHeader(offset);
          tokenReady = true;
        }
        int to = send.rank(entry);
        int slot = send.slot(entry);
        if (!poster.post(
            Geometry.context(slot, to, epoch, contexts),
            to,
            buffers.receiveRows,
            g.receivedAt(epoch, g.rank, slot),
            buffers.sendRows,
            offset,
            wireBytes)) {
          return false;
        }
      }
      tokenReady = false;
    }
    return postCounts();
  }

  private boolean postCounts() {
    long bytes = counts.wireBytes(plan.cached);
    for (; peer < g.ranks; peer++) {
      if (!blockReady) {
        counts.write(plan, peer, epoch);
        blockReady = true;
      }
      if (!poster.post(
          0,
          peer,
          buffers.receiveCounts,
          g.countAt(epoch, g.rank),
          buffers.sendCounts,
          counts.sendAt(peer),
          bytes)) {
        return false;
      }
      blockReady = false;
    }
    return true;
  }

  private void writeHeader(long at) {
    SendPlan send = plan.send;
    raw.set(LONG, at + RowLayout.EPOCH, epoch);
    raw.set(INT, at + RowLayout.SOURCE_RANK, g.rank);
    raw.set(INT, at + RowLayout.SOURCE_TOKEN, token);
    raw.set(INT, at + RowLayout.STREAM, stream);
    raw.set(INT, at + RowLayout.TOP_K, g.topK);
    for (int k = 0; k < g.topK; k++) {
      raw.set(INT, at + g.row.idAt(k), send.id(token, k));
      raw.set(FLOAT, at + g.row.weightAt(k), send.weight(token, k));
    }
    long checksum = g.config.audit() ? RowChecks.checksum(g.row, raw, at) : 0;
    raw.set(LONG, at + RowLayout.CHECKSUM, checksum);
    wire.seal(raw, at, g.row.bytes(), buffers.sendRows, epoch);
  }

  @Override
  void announce() {
    for (int p = 0; p < g.ranks; p++) {
      barrier.count(p, plan.send.rows(p));
    }
  }

  @Override
  void beginReceive() {
    countsRead = false;
  }

  @Override
  boolean receive() {
    if (!countsRead) {
      counts.read(plan, epoch);
      epilogue.begin(plan, epoch);
      countsRead = true;
    }
    return epilogue.step(rowsPerStep);
  }

  @Override
  void finish() {
    plan.inFirstDispatch = false;
    // Counts that were not believed are not kept either.
    plan.cached = plan.cached || log.clean();
  }
}
