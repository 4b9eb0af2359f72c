// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.gpu;

import dev.jgin.bindings.abi.jgin_rank;
import dev.jgin.bindings.abi.jgin_shape;
import dev.jgin.moe.oracle.SeenRows;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** A {@link GpuDispatch} copied to host memory, as the oracle looks at it. Immutable. */
public final class HostRows implements SeenRows {
  private static final int NOBODY = -1;

  private final long rows;
  private final int topK;
  private final long payloadBytes;
  private final long scaleBytes;
  private final MemorySegment payload;
  private final MemorySegment scales;
  private final int[] start;
  private final int[] counts;
  private final int[] received;
  private final int[] lane;
  private final float[] weight;
  private final int[] source;
  private final int[] token;
  private final int[] laneExpert;
  private final float[] laneWeight;

  HostRows(GpuDispatch from, StreamMemory memory, GpuEpPlan plan, Arena arena) {
    MemorySegment shape = memory.shape();
    MemorySegment rank = memory.rank;
    long receivedRows = from.receivedRows();
    int experts = from.localExperts();
    this.rows = from.rows();
    this.topK = jgin_shape.top_k(shape);
    this.payloadBytes = jgin_shape.payload_bytes(shape);
    this.scaleBytes = jgin_shape.scale_bytes(shape);
    this.payload = memory.read(from.payloadAddress(), rows * payloadBytes, arena);
    this.scales = memory.read(from.scalesAddress(), rows * scaleBytes, arena);
    try (Arena scratch = Arena.ofConfined()) {
      start = ints(plan.read(from.expertStartAddress(), 4L * (experts + 1), scratch));
      counts = ints(plan.read(from.expertRowsAddress(), 4L * experts, scratch));
      received = ints(memory.read(from.rowReceivedAddress(), 4 * rows, scratch));
      lane = ints(memory.read(jgin_rank.row_lane(rank), 4 * rows, scratch));
      weight = floats(memory.read(from.rowWeightAddress(), 4 * rows, scratch));
      source = ints(memory.read(jgin_rank.received_source(rank), 4 * receivedRows, scratch));
      token = ints(memory.read(jgin_rank.received_token(rank), 4 * receivedRows, scratch));
      long lanes = 4 * receivedRows * topK;
      laneExpert = ints(memory.read(from.laneExpertAddress(), lanes, scratch));
      laneWeight = floats(memory.read(from.laneWeightAddress(), lanes, scratch));
    }
  }

  private static int[] ints(MemorySegment from) {
    return from.toArray(ValueLayout.JAVA_INT);
  }

  private static float[] floats(MemorySegment from) {
    return from.toArray(ValueLayout.JAVA_FLOAT);
  }

  @Override
  public long rows() {
    return rows;
  }

  @Override
  public long start(int expert) {
    return start[expert];
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
    return row * payloadBytes;
  }

  @Override
  public MemorySegment scales() {
    return scales;
  }

  @Override
  public long scalesAt(long row) {
    return row * scaleBytes;
  }

  @Override
  public int source(long row) {
    int from = received[(int) row];
    return from < 0 ? NOBODY : source[from];
  }

  @Override
  public int token(long row) {
    int from = received[(int) row];
    return from < 0 ? NOBODY : token[from];
  }

  @Override
  public int lane(long row) {
    return received[(int) row] < 0 ? NOBODY : lane[(int) row];
  }

  @Override
  public float weight(long row) {
    return received[(int) row] < 0 ? 0f : weight[(int) row];
  }

  @Override
  public int localExpert(long row, int ofLane) {
    return laneExpert[(int) row * topK + ofLane];
  }

  @Override
  public float weight(long row, int ofLane) {
    return laneWeight[(int) row * topK + ofLane];
  }
}
