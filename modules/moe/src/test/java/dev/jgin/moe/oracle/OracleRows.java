// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.oracle;

import dev.jgin.moe.routing.Routing;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** An engine that does nothing but hand out what the oracle expects: right until it is spoilt. */
final class OracleRows implements SeenRows {
  final MemorySegment payload;
  final MemorySegment scales;
  final int[] source;
  final int[] token;
  final int[] lane;
  final float[] weight;
  final long[] starts;
  final long[] counts;
  long rows;
  private final int rank;
  private final OracleShape shape;
  private final DenseDispatch dispatch;

  OracleRows(DenseDispatch dispatch, int rank, ExpectedRows expected, Arena arena) {
    this.rank = rank;
    this.dispatch = dispatch;
    this.shape = dispatch.shape();
    this.rows = expected.size();
    int n = (int) rows;
    this.payload = arena.allocate(rows * shape.rowBytes());
    this.scales = arena.allocate(rows * shape.scaleBytes());
    this.source = new int[n];
    this.token = new int[n];
    this.lane = new int[n];
    this.weight = new float[n];
    this.starts = expected.starts();
    this.counts = expected.counts();
    for (int row = 0; row < n; row++) {
      source[row] = -1;
      if (!expected.isPadding(row)) {
        ExpectedRows.Origin origin = expected.at(row);
        source[row] = origin.source();
        token[row] = origin.token();
        lane[row] = origin.lane();
        weight[row] = origin.weight();
        payload.asSlice(payloadAt(row)).copyFrom(dispatch.payload(origin));
        scales.asSlice(scalesAt(row)).copyFrom(dispatch.scales(origin));
      }
    }
  }

  @Override
  public long rows() {
    return rows;
  }

  @Override
  public long start(int expert) {
    return starts[expert];
  }

  @Override
  public long count(int expert) {
    return counts[expert];
  }

  @Override
  public MemorySegment payload() {
    return payload;
  }

  @Override
  public long payloadAt(long row) {
    return row * shape.rowBytes();
  }

  @Override
  public MemorySegment scales() {
    return scales;
  }

  @Override
  public long scalesAt(long row) {
    return row * shape.scaleBytes();
  }

  @Override
  public int source(long row) {
    return source[(int) row];
  }

  @Override
  public int token(long row) {
    return token[(int) row];
  }

  @Override
  public int lane(long row) {
    return lane[(int) row];
  }

  @Override
  public float weight(long row) {
    return weight[(int) row];
  }

  @Override
  public int localExpert(long row, int of) {
    int id = routing(row).id(token(row), of);
    return shape.isOn(rank, id) ? id - shape.firstExpert(rank) : -1;
  }

  @Override
  public float weight(long row, int of) {
    return localExpert(row, of) < 0 ? 0f : routing(row).weight(token(row), of);
  }

  private Routing routing(long row) {
    return dispatch.input(source(row)).routing();
  }
}
