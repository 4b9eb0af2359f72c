// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gin.spi;

/** One rank's program as a sequence of non-blocking steps. Driven by one thread at a time. */
@FunctionalInterface
public interface RankTask {

  /** What a step found. */
  enum Step {
    /** Something was done: call again soon. */
    PROGRESS,
    /** Nothing can be done until the carrier or a peer moves. */
    WAITING,
    /** The program has ended; it is not called again. */
    DONE
  }

  /** Advances without blocking. An exception ends the whole run. */
  Step step();
}
