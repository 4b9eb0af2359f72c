// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe;

import java.lang.foreign.MemorySegment;

/**
 * Where the received bytes of a stream stand, for tests and experiments that look at them or break
 * them between two steps. Offsets are those of the operation begun last; nothing is promised about
 * bytes that are still being received.
 */
public final class StreamInspector {
  private final Geometry g;
  private final StreamBuffers buffers;
  private final DispatchOperation dispatch;
  private final CombineOperation combine;

  StreamInspector(
      Geometry g, StreamBuffers buffers, DispatchOperation dispatch, CombineOperation combine) {
    this.g = g;
    this.buffers = buffers;
    this.dispatch = dispatch;
    this.combine = combine;
  }

  /** How far the dispatch has come. */
  public Phase dispatchPhase() {
    return dispatch.phase();
  }

  /** How far the combine has come. */
  public Phase combinePhase() {
    return combine.phase();
  }

  /** Received rows: {@code [epoch parity][source rank][slot]}, as on the wire. */
  public MemorySegment receivedRows() {
    return buffers.receiveRows.local();
  }

  /** Where a row of the dispatch stands; see {@link dev.jgin.moe.layout.RowLayout}. */
  public long receivedRowAt(int source, long slot) {
    return g.receivedAt(dispatch.epoch, source, slot);
  }

  /** Received count blocks: {@code [epoch parity][source rank]}, as on the wire. */
  public MemorySegment receivedCounts() {
    return buffers.receiveCounts.local();
  }

  /** Where a count block of the dispatch stands; see {@link dev.jgin.moe.layout.CountLayout}. */
  public long receivedCountAt(int source) {
    return g.countAt(dispatch.epoch, source);
  }

  /** Returned rows: {@code [epoch parity][token][place]}, as on the wire. */
  public MemorySegment returnedRows() {
    return buffers.receiveReturns.local();
  }

  /**
   * Where a row of the combine stands; see {@link dev.jgin.moe.layout.CombineLayout}. The place is
   * the lane ({@link CombineMode#CANONICAL}), or the number of ranks that serve an earlier lane of
   * the token ({@link CombineMode#REDUCED}).
   */
  public long returnedRowAt(int token, int place) {
    return g.returnedAt(combine.epoch, (long) token * g.lanes + place);
  }

  /** Payload of a dispatched row within the row; see {@link dev.jgin.moe.layout.RowLayout}. */
  public long payloadAt() {
    return g.row.payloadAt();
  }
}
