// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.moe;

import dev.jgin.moe.DispatchResult;
import dev.jgin.moe.oracle.SeenRows;
import java.lang.foreign.MemorySegment;

/** A dispatch as the oracle looks at it. */
record SeenDispatch(DispatchResult result) implements SeenRows {
  @Override
  public long rows() {
    return result.rows();
  }

  @Override
  public long start(int expert) {
    return result.expertStart(expert);
  }

  @Override
  public long count(int expert) {
    return result.expertRows(expert);
  }

  @Override
  public MemorySegment payload() {
    return result.payload();
  }

  @Override
  public long payloadAt(long row) {
    return result.payloadOffset(row);
  }

  @Override
  public MemorySegment scales() {
    return result.scales();
  }

  @Override
  public long scalesAt(long row) {
    return result.scalesOffset(row);
  }

  @Override
  public int source(long row) {
    return result.sourceRank(row);
  }

  @Override
  public int token(long row) {
    return result.sourceToken(row);
  }

  @Override
  public int lane(long row) {
    return result.lane(row);
  }

  @Override
  public float weight(long row) {
    return result.weight(row);
  }

  @Override
  public int localExpert(long row, int lane) {
    return result.localExpert(row, lane);
  }

  @Override
  public float weight(long row, int lane) {
    return result.weight(row, lane);
  }
}
