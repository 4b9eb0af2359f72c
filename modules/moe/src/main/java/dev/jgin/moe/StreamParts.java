// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe;

import dev.jgin.gin.Barrier;
import dev.jgin.gin.BarrierOptions;
import dev.jgin.gin.Communicator;
import dev.jgin.gin.FenceLevel;
import dev.jgin.gin.FreshnessCheck;
import java.lang.foreign.Arena;
import java.util.Optional;

/** Builds what a stream consists of and holds it together. Collective: windows and barriers. */
final class StreamParts {
  final StreamBuffers buffers;
  final Staging staging;
  final ViolationLog log;
  final DispatchOperation dispatch;
  final CombineOperation combine;
  final DispatchResult result;
  final StreamInspector inspector;

  StreamParts(Communicator comm, Geometry g, Arena arena, int index) {
    int contexts = comm.contexts();
    this.buffers = new StreamBuffers(comm, g, index, arena);
    this.staging = new Staging(g, buffers);
    this.log = new ViolationLog(g.config.policy());
    CountExchange counts = new CountExchange(g, buffers, log, index, arena);
    Freshness freshness = new Freshness(g, buffers, counts, new Wire(g.lines, 0, 0, arena));
    Origins origins = new Origins(g);
    EpilogueReport report = new EpilogueReport(g, buffers, log, index, contexts, arena);
    this.dispatch =
        new DispatchOperation(
            comm,
            g,
            barrier(comm, g, "moe dispatch stream " + index, freshness::dispatched),
            buffers,
            counts,
            new Epilogue(g, buffers, origins, report, arena),
            log,
            arena,
            index);
    this.combine =
        new CombineOperation(
            comm,
            g,
            barrier(comm, g, "moe combine stream " + index, freshness::returned),
            buffers,
            origins,
            new Reducer(g, buffers, log, index, contexts, arena),
            freshness,
            log,
            arena,
            index);
    this.result = new DispatchResult(g, buffers, origins, log);
    this.inspector = new StreamInspector(g, buffers, dispatch, combine);
  }

  private static Barrier barrier(
      Communicator comm, Geometry g, String name, FreshnessCheck freshness) {
    return comm.barrier(
        name,
        comm.world(),
        new BarrierOptions(
            g.config.barrier(), FenceLevel.PUT, g.config.initialEpoch(), Optional.of(freshness)));
  }
}
