// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe;

import dev.jgin.gin.Communicator;
import dev.jgin.gin.Window;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The memory of one stream. What is sent stands in windows; under ORDER_FREE it is written to plain
 * memory first and encoded into the windows when it is sent.
 */
final class StreamBuffers {
  private static final long ALIGNMENT = 128;

  final Window sendRows;
  final Window receiveRows;
  final Window sendCounts;
  final Window receiveCounts;
  final Window sendReturns;
  final Window receiveReturns;

  /** Where the caller's token rows are written: the send window itself unless rows are tagged. */
  final MemorySegment rawRows;

  /** Where the caller's experts write: the send window itself if rows return untagged, unsummed. */
  final MemorySegment expertOutput;

  /** Where rows that return are written: expert output, or partial sums. */
  final MemorySegment rawReturns;

  final MemorySegment expertPayload;
  final MemorySegment expertScales;
  final MemorySegment output;

  /** Registers the windows: collective. Plain memory lives as long as {@code arena}. */
  StreamBuffers(Communicator comm, Geometry g, int stream, Arena arena) {
    String name = "moe stream " + stream + " ";
    long sendRowBytes = g.tokens * g.rowStride;
    sendRows = comm.registerWindow(name + "send rows", sendRowBytes);
    receiveRows = comm.registerWindow(name + "receive rows", 2L * g.ranks * sendRowBytes);
    sendCounts = comm.registerWindow(name + "send counts", g.ranks * g.countStride);
    receiveCounts = comm.registerWindow(name + "receive counts", 2L * g.ranks * g.countStride);
    long outputRows = g.expertRows * g.combineStride;
    long returns = (g.sumsPartially() ? g.receivedRows : g.expertRows) * g.combineStride;
    sendReturns = comm.registerWindow(name + "send returns", returns);
    receiveReturns =
        comm.registerWindow(name + "receive returns", 2L * g.tokens * g.lanes * g.combineStride);
    boolean tagged = g.lines != null;
    rawRows = tagged ? arena.allocate(sendRowBytes, ALIGNMENT) : sendRows.local();
    rawReturns = tagged ? arena.allocate(returns, ALIGNMENT) : sendReturns.local();
    expertOutput = g.sumsPartially() ? arena.allocate(outputRows, ALIGNMENT) : rawReturns;
    expertPayload = arena.allocate(g.expertRows * g.config.payloadBytes(), ALIGNMENT);
    expertScales = arena.allocate(g.expertRows * g.config.scaleBytes(), ALIGNMENT);
    output = arena.allocate(g.tokens * g.config.combineBytes(), ALIGNMENT);
  }
}
