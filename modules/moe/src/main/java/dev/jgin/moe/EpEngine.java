// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe;

import dev.jgin.gin.BarrierProtocol;
import dev.jgin.gin.Communicator;
import dev.jgin.moe.layout.BufferFormula;
import dev.jgin.moe.plan.Placement;
import java.lang.foreign.Arena;

/**
 * One rank's expert-parallel engine: the buffers and barriers of all its streams, over a
 * communicator that it does not own.
 *
 * <p>One thread drives all streams of a rank, the one that owns the communicator's contexts.
 * Closing frees what is not in windows; windows live as long as the communicator.
 */
public final class EpEngine implements AutoCloseable {
  private final Geometry geometry;
  private final Arena arena;
  private final EpStream[] streams;

  // Closed by close(), or below.
  @SuppressWarnings("MustBeClosedChecker")
  private EpEngine(Communicator comm, EpConfig config) {
    this.geometry = Geometry.of(config, comm.rank(), comm.size(), granule(comm, config));
    this.arena = Arena.ofShared();
    this.streams = new EpStream[config.streams()];
    try {
      for (int s = 0; s < streams.length; s++) {
        streams[s] = new EpStream(comm, geometry, arena, s);
      }
    } catch (RuntimeException | Error e) {
      arena.close();
      throw e;
    }
  }

  /**
   * Makes an engine. Collective: every rank makes it with an equal configuration.
   *
   * @throws IllegalArgumentException if the buffers exceed the memory budget, naming the tokens per
   *     rank that would fit, or if the ranks exceed {@value Placement#MAX_RANKS}
   * @throws dev.jgin.gin.UnsoundProtocolException if the carrier does not promise what the barrier
   *     needs and the communicator does not allow that
   */
  public static EpEngine create(Communicator comm, EpConfig config) {
    return new EpEngine(comm, config);
  }

  private static long granule(Communicator comm, EpConfig config) {
    if (config.barrier() != BarrierProtocol.ORDER_FREE) {
      return 0;
    }
    long granule = comm.fabric().axioms().granuleBytes();
    // A line holds its tag and at least as much payload.
    return Math.max(granule, 2 * Long.BYTES);
  }

  /** The configuration. */
  public EpConfig config() {
    return geometry.config;
  }

  /** This rank. */
  public int rank() {
    return geometry.rank;
  }

  /** Number of ranks. */
  public int ranks() {
    return geometry.ranks;
  }

  /** Which rank owns which expert. */
  public Placement placement() {
    return geometry.placement;
  }

  /** What the buffers of this rank cost. */
  public BufferFormula buffers() {
    return geometry.buffers(geometry.tokens);
  }

  /** Stream {@code index}, 0 to {@code config().streams() - 1}. */
  public EpStream stream(int index) {
    return streams[index];
  }

  /** An empty plan, to be kept across dispatches with the same routing. Not collective. */
  public EpPlan newPlan() {
    return new EpPlan(geometry);
  }

  @Override
  public void close() {
    arena.close();
  }
}
