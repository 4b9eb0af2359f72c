// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe;

import dev.jgin.moe.check.Violation;
import dev.jgin.moe.plan.ReceivePlan;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * What a dispatch brought: a view of the stream's own memory, valid until the stream's next
 * dispatch begins. Rows are dense: row {@code r} of {@link #payload()} begins at {@code r} times
 * the bytes of a payload, of {@link #scales()} at {@code r} times the bytes of a row's scales.
 *
 * <p>The caller may overwrite payload and scales. Reading it from another thread needs the caller's
 * own synchronisation. Nothing here allocates but {@link #violations()}.
 */
public final class DispatchResult {
  private final Geometry g;
  private final StreamBuffers buffers;
  private final Origins origins;
  private final ViolationLog log;
  private final boolean expanded;
  private EpPlan plan;
  private ReceivePlan receive;
  private long epoch;
  private List<Violation> violations = List.of();

  DispatchResult(Geometry g, StreamBuffers buffers, Origins origins, ViolationLog log) {
    this.g = g;
    this.buffers = buffers;
    this.origins = origins;
    this.log = log;
    this.expanded = g.config.layout() == ExpertLayout.EXPANDED;
  }

  void set(EpPlan ofPlan, long ofEpoch) {
    plan = ofPlan;
    receive = ofPlan.receive;
    epoch = ofEpoch;
    violations = log.clean() ? List.of() : log.ofOperation();
  }

  /** The epoch of the dispatch. */
  public long epoch() {
    return epoch;
  }

  /** Tokens that this rank sent. */
  public int tokens() {
    return plan.send.tokens();
  }

  /** Rows that this rank sent, deduplicated by rank. */
  public long sentRows() {
    return plan.send.entries();
  }

  /** Rows that this rank received, deduplicated by rank. */
  public long receivedRows() {
    return receive.receivedRows();
  }

  /**
   * Rows of {@link #payload()}: expert rows with padding, or in {@link
   * ExpertLayout#ONE_ROW_PER_TOKEN} the received rows.
   */
  public long rows() {
    return expanded ? receive.totalRows() : receive.receivedRows();
  }

  /** The global id of this rank's first expert. */
  public int firstExpert() {
    return g.firstExpert;
  }

  /** Experts of this rank. */
  public int localExperts() {
    return g.localExperts;
  }

  /**
   * {@link ExpertLayout#EXPANDED}: the first row of local expert {@code expert}; for {@code
   * localExperts()} the rows in all.
   */
  public long expertStart(int expert) {
    return receive.start(expert);
  }

  /** Lanes that name local expert {@code expert}: its rows without padding. */
  public long expertRows(int expert) {
    return receive.expertRows(expert);
  }

  /** The payload of all rows, in the dispatched type; the segment may be longer. */
  public MemorySegment payload() {
    return buffers.expertPayload;
  }

  /** Where in {@link #payload()} a row begins. */
  public long payloadOffset(long row) {
    return row * g.row.payloadBytes();
  }

  /** The scales of all rows; empty if there are none. */
  public MemorySegment scales() {
    return buffers.expertScales;
  }

  /** Where in {@link #scales()} those of a row begin. */
  public long scalesOffset(long row) {
    return row * g.row.scaleBytes();
  }

  /** The rank that sent a row, or -1 for padding and rows that were left out. */
  public int sourceRank(long row) {
    int received = origins.received[index(row)];
    return received < 0 ? Origins.NOBODY : origins.source[received];
  }

  /** The token of a row at its source, or -1. */
  public int sourceToken(long row) {
    int received = origins.received[index(row)];
    return received < 0 ? Origins.NOBODY : origins.token[received];
  }

  /** {@link ExpertLayout#EXPANDED}: the lane that a row serves, or -1. */
  public int lane(long row) {
    int i = index(row);
    requireLayout(true);
    return origins.received[i] < 0 ? Origins.NOBODY : origins.lane[i];
  }

  /** {@link ExpertLayout#EXPANDED}: the weight of the lane that a row serves; 0 for padding. */
  public float weight(long row) {
    int i = index(row);
    requireLayout(true);
    return origins.received[i] < 0 ? 0f : origins.weight[i];
  }

  /**
   * {@link ExpertLayout#ONE_ROW_PER_TOKEN}: the local expert (counted from 0) that a lane of a row
   * names, or -1 if it names none of this rank.
   */
  public int localExpert(long row, int lane) {
    int i = index(row);
    requireLayout(false);
    return origins.localExpert[origins.laneIndex(i, lane)];
  }

  /** {@link ExpertLayout#ONE_ROW_PER_TOKEN}: the weight of a lane; 0 if it is not of this rank. */
  public float weight(long row, int lane) {
    int i = index(row);
    requireLayout(false);
    return origins.laneWeight[origins.laneIndex(i, lane)];
  }

  /** Under {@link ViolationPolicy#COLLECT}: what was found wrong. */
  public List<Violation> violations() {
    return violations;
  }

  private int index(long row) {
    if (row < 0 || row >= rows()) {
      throw new IndexOutOfBoundsException("row " + row + " of " + rows());
    }
    return (int) row;
  }

  private void requireLayout(boolean wanted) {
    if (expanded != wanted) {
      throw new IllegalStateException(
          "rows are laid out "
              + g.config.layout()
              + ": "
              + (wanted
                  ? "a row serves several lanes; ask for localExpert(row, lane)"
                  : "a row serves one lane; ask for lane(row)"));
    }
  }
}
