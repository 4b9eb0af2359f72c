// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.contract;

import dev.jgin.gin.spi.RankTask;
import dev.jgin.moe.oracle.RankInput;
import dev.jgin.moe.oracle.SeenRows;
import java.lang.foreign.MemorySegment;

/** One rank's end of an engine, as the suite drives it: steps that never block. One thread. */
public interface EngineUnderTest extends AutoCloseable {

  /**
   * Begins a dispatch.
   *
   * @param cached whether the routing is that of the stream's dispatch before, so that the engine
   *     is to reuse its plan
   */
  void beginDispatch(int stream, RankInput input, boolean cached);

  /** Moves the dispatch on; done once. */
  RankTask.Step stepDispatch(int stream);

  /** What the last dispatch delivered; valid until the next one begins. */
  SeenRows received(int stream);

  /** Where the experts' outputs are to be written. */
  MemorySegment expertOutput(int stream);

  /** Where in {@link #expertOutput} the output for {@code row} begins. */
  long expertOutputAt(int stream, long row);

  /** Begins to return the experts' outputs. */
  void beginCombine(int stream);

  /** Moves the combine on; done once. */
  RankTask.Step stepCombine(int stream);

  /** The combined rows, token after token without gaps; valid until the next dispatch begins. */
  MemorySegment combined(int stream);

  @Override
  void close();
}
