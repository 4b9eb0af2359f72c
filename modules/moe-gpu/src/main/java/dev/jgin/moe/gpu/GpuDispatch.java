// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.gpu;

import dev.jgin.bindings.abi.jgin_plan;
import dev.jgin.bindings.abi.jgin_rank;
import dev.jgin.bindings.abi.jgin_report;
import dev.jgin.bindings.abi.jgin_shape;
import dev.jgin.moe.ExpertLayout;
import dev.jgin.moe.check.Violation;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * What a dispatch brought, as device addresses into the stream's own memory: valid until the
 * stream's next dispatch begins, and as the GPU of the engine sees them. Rows are dense. The caller
 * may overwrite payload and scales. Nothing here allocates but {@link #toHost}.
 */
public final class GpuDispatch {
  private final StreamMemory memory;
  private final MemorySegment rank;
  private final MemorySegment report;
  private final ViolationBook book;
  private GpuEpPlan plan;
  private long epoch;

  GpuDispatch(StreamMemory memory, ViolationBook book) {
    this.memory = memory;
    this.rank = memory.rank;
    this.report = memory.report();
    this.book = book;
  }

  void set(GpuEpPlan ofPlan, long ofEpoch) {
    plan = ofPlan;
    epoch = ofEpoch;
  }

  /** The epoch of the dispatch. */
  public long epoch() {
    return epoch;
  }

  /** Tokens that this rank sent. */
  public int tokens() {
    return (int) jgin_report.tokens(report);
  }

  /** Rows that this rank received, deduplicated by rank. */
  public long receivedRows() {
    return jgin_report.received_rows(report);
  }

  /**
   * Rows of the payload: expert rows with padding, or in {@link ExpertLayout#ONE_ROW_PER_TOKEN} the
   * received rows.
   */
  public long rows() {
    return jgin_report.total_rows(report);
  }

  /** The global id of this rank's first expert. */
  public int firstExpert() {
    return jgin_shape.first_expert(memory.shape());
  }

  /** Experts of this rank. */
  public int localExperts() {
    return jgin_shape.local_experts(memory.shape());
  }

  /** The payload: {@code [rows][hidden]} of the dispatched type. */
  public long payloadAddress() {
    return jgin_rank.expert_payload(rank);
  }

  /** The scales: {@code [rows][scale bytes]}; means nothing if rows have none. */
  public long scalesAddress() {
    return jgin_rank.expert_scales(rank);
  }

  /** u32 [local experts + 1]: the first row of each local expert, then the rows in all. */
  public long expertStartAddress() {
    return jgin_plan.expert_start(plan.struct());
  }

  /** u32 [local experts]: the rows of each local expert, without padding. */
  public long expertRowsAddress() {
    return jgin_plan.expert_row_counts(plan.struct());
  }

  /** i32 [rows]: the received row that a row was copied from; -1 = padding, or left out. */
  public long rowReceivedAddress() {
    return jgin_rank.row_received(rank);
  }

  /** f32 [rows], {@link ExpertLayout#EXPANDED}: the weight of the lane that a row serves. */
  public long rowWeightAddress() {
    return jgin_rank.row_weight(rank);
  }

  /** i32 [received rows][top-k]: the local expert that a lane names, or -1. */
  public long laneExpertAddress() {
    return jgin_rank.received_expert(rank);
  }

  /** f32 [received rows][top-k]: the weight of a lane; 0 if it is not of this rank. */
  public long laneWeightAddress() {
    return jgin_rank.received_weight(rank);
  }

  /** Under {@link dev.jgin.moe.ViolationPolicy#COLLECT}: what was found wrong. */
  public List<Violation> violations() {
    return book.ofOperation();
  }

  /** Copies everything to host memory, and waits: for tests and experiments. */
  public HostRows toHost(Arena arena) {
    return new HostRows(this, memory, plan, arena);
  }
}
