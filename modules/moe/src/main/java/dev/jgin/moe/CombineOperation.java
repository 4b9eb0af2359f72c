// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe;

import static dev.jgin.moe.layout.Words.INT;
import static dev.jgin.moe.layout.Words.LONG;

import dev.jgin.gin.Barrier;
import dev.jgin.gin.Communicator;
import dev.jgin.moe.layout.CombineLayout;
import dev.jgin.moe.plan.SendPlan;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** One combine: rows, or their sums, return to the tokens they came from and are summed there. */
final class CombineOperation extends Operation {
  private final StreamBuffers buffers;
  private final Origins origins;
  private final Reducer reducer;
  private final Freshness freshness;
  private final ViolationLog log;
  private final PartialSums partial;
  private final Wire wire;
  private final MemorySegment raw;
  private final int stream;
  private final long wireBytes;
  private final boolean canonical;
  private final int[] posted;

  private SendPlan send;
  private int items;
  private int first;
  private int item;
  private boolean ready;
  private int token;

  CombineOperation(
      Communicator comm,
      Geometry g,
      Barrier barrier,
      StreamBuffers buffers,
      Origins origins,
      Reducer reducer,
      Freshness freshness,
      ViolationLog log,
      Arena arena,
      int stream) {
    super(comm, g, barrier, "combine, stream " + stream);
    this.buffers = buffers;
    this.origins = origins;
    this.reducer = reducer;
    this.freshness = freshness;
    this.log = log;
    this.partial = new PartialSums(g.config.combineDtype(), g.config.hidden(), g.topK);
    this.wire = new Wire(g.lines, 0, 0, arena);
    this.raw = buffers.rawReturns;
    this.stream = stream;
    this.wireBytes = g.wire(g.combine.bytes());
    this.canonical = g.config.combine() == CombineMode.CANONICAL;
    this.posted = new int[g.ranks];
  }

  /** Begins to return what {@code plan} dispatched. */
  void begin(EpPlan plan) {
    send = plan.send;
    int received = (int) plan.receive.receivedRows();
    items = canonical ? origins.rowsStart[received] : received;
    first = firstItem(plan);
    item = 0;
    ready = false;
    token = 0;
    Arrays.fill(posted, 0);
    freshness.expectReturns(send);
    log.begin();
    start();
  }

  // Items are in order of the rank they return to: were all ranks to begin with rank 0, it would
  // be every rank's target at once.
  private int firstItem(EpPlan plan) {
    int row = 0;
    for (int s = 0; s <= g.rank && g.rank + 1 < g.ranks; s++) {
      row += plan.receive.rows(s);
    }
    return canonical ? origins.rowsStart[row] : row;
  }

  @Override
  int posted() {
    return item;
  }

  @Override
  boolean postSome() {
    int contexts = poster.contexts();
    for (int left = rowsPerStep; item < items; item++) {
      int i = first + item < items ? first + item : first + item - items;
      int row = canonical ? origins.rows[i] : i;
      int from = canonical ? origins.received[row] : row;
      int to = from < 0 ? Origins.NOBODY : origins.source[from];
      if (to < 0) {
        continue;
      }
      if (left-- == 0) {
        return false;
      }
      int place = canonical ? origins.lane[row] : origins.ordinal[from];
      long slot = (long) origins.token[from] * g.lanes + place;
      long offset = row * g.combineStride;
      if (!ready) {
        write(row, from, offset);
        ready = true;
      }
      if (!poster.post(
          Geometry.context(slot, to, epoch, contexts),
          to,
          buffers.receiveReturns,
          g.returnedAt(epoch, slot),
          buffers.sendReturns,
          offset,
          wireBytes)) {
        return false;
      }
      posted[to]++;
      ready = false;
    }
    return true;
  }

  private void write(int returned, int from, long at) {
    if (g.sumsPartially()) {
      partial.begin();
      for (int i = origins.rowsStart[from]; i < origins.rowsStart[from + 1]; i++) {
        int row = origins.rows[i];
        partial.add(row * g.combineStride, origins.weight[row]);
      }
      partial.store(buffers.expertOutput, raw, at + CombineLayout.PAYLOAD);
    }
    raw.set(LONG, at + CombineLayout.EPOCH, epoch);
    raw.set(INT, at + CombineLayout.RANK, g.rank);
    raw.set(INT, at + CombineLayout.TOKEN, origins.token[from]);
    raw.set(
        INT, at + CombineLayout.LANE, canonical ? origins.lane[returned] : origins.firstLane[from]);
    raw.set(INT, at + CombineLayout.STREAM, stream);
    long checksum = g.config.audit() ? Reducer.checksum(g.combine, raw, at) : 0;
    raw.set(LONG, at + CombineLayout.CHECKSUM, checksum);
    wire.seal(raw, at, g.combine.bytes(), buffers.sendReturns, epoch);
  }

  @Override
  void announce() {
    for (int p = 0; p < g.ranks; p++) {
      barrier.count(p, posted[p]);
    }
  }

  @Override
  void beginReceive() {
    token = 0;
  }

  @Override
  boolean receive() {
    int end = Math.min(send.tokens(), token + rowsPerStep);
    for (; token < end; token++) {
      reducer.reduce(send, token, epoch);
    }
    return token == send.tokens();
  }

  @Override
  void finish() {
    send = null;
  }
}
