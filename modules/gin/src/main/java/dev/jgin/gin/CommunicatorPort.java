// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gin;

import dev.jgin.gin.barrier.BarrierPort;
import dev.jgin.gin.spi.Fabric;
import dev.jgin.gin.spi.Region;
import dev.jgin.gin.spi.RegionKind;
import java.lang.foreign.ValueLayout;

/**
 * A barrier's port onto a communicator: its own signal region, and a staging place per count line.
 */
final class CommunicatorPort implements BarrierPort {

  private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG;

  private final Communicator comm;
  private final Fabric fabric;
  private final Team team;
  private final FreshnessCheck freshness;
  private final Region cells;
  private final Region staging;
  private final long[] stagingBusyUntil;

  CommunicatorPort(
      Communicator comm, String name, Team team, BarrierOptions options, long cellCount) {
    this.comm = comm;
    this.fabric = comm.fabric();
    this.team = team;
    this.freshness = options.freshness().orElse(null);
    boolean lines = options.protocol() == BarrierProtocol.ORDER_FREE;
    // Count lines need no strict ordering, only a whole granule.
    RegionKind kind = lines ? RegionKind.DATA : RegionKind.SIGNAL;
    this.cells = fabric.register("barrier " + name, cellCount * Long.BYTES, kind);
    this.staging =
        lines
            ? fabric.register(
                "barrier lines " + name,
                2L * team.size() * BarrierProtocol.COUNT_LINE_BYTES,
                RegionKind.DATA)
            : null;
    this.stagingBusyUntil = new long[lines ? 2 * team.size() : 0];
  }

  @Override
  public boolean tryAdd(int context, int member, long cell, long addend) {
    int peer = team.worldRank(member);
    return rung(context, peer, fabric.atomicAdd(context, peer, cells, cell * Long.BYTES, addend));
  }

  @Override
  public boolean tryStore(int context, int member, long cell, long value) {
    int peer = team.worldRank(member);
    return rung(
        context,
        peer,
        fabric.writeInline(context, peer, cells, cell * Long.BYTES, value, Long.BYTES));
  }

  @Override
  public boolean tryStoreLine(int context, int member, long cell, long count, long tag) {
    int peer = team.worldRank(member);
    int slot = (int) (tag & 1) * team.size() + member;
    if (fabric.completed(context, peer) < stagingBusyUntil[slot]) {
      return false;
    }
    long offset = slot * BarrierProtocol.COUNT_LINE_BYTES;
    staging.local().set(WORD, offset, count);
    staging.local().set(WORD, offset + Long.BYTES, tag);
    long ticket =
        fabric.write(
            context,
            peer,
            staging,
            offset,
            cells,
            cell * Long.BYTES,
            BarrierProtocol.COUNT_LINE_BYTES);
    if (!rung(context, peer, ticket)) {
      return false;
    }
    stagingBusyUntil[slot] = ticket + 1;
    return true;
  }

  private boolean rung(int context, int peer, long ticket) {
    if (ticket == Fabric.FULL) {
      return false;
    }
    fabric.ring(context, peer);
    return true;
  }

  @Override
  public long load(long cell) {
    return (long) SignalTable.CELL.getAcquire(cells.local(), cell * Long.BYTES);
  }

  @Override
  public long puts(int context, int member) {
    return comm.context(context).puts(team.worldRank(member));
  }

  @Override
  public boolean flushed(int context, int member) {
    return comm.context(context).flushed(team.worldRank(member));
  }

  @Override
  public boolean fresh(int member, long rows, long epoch) {
    return freshness.fresh(member, rows, epoch);
  }
}
