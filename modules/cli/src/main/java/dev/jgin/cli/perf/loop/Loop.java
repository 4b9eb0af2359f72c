// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.perf.loop;

/**
 * One rank's side of one test. {@link #begin} is called while no rank runs, the others each on the
 * rank's own thread and by all ranks at the same time; a rank without a part in it returns at once.
 * The calls of one size are {@code begin}, {@code check}, {@code rounds} (to warm up, then timed),
 * {@code finish}.
 */
public interface Loop {
  /**
   * Gets ready for messages of {@code bytes}.
   *
   * @param bytes size of a message, as large at most as the loop was made for; ignored by tests
   *     that have no size
   */
  default void begin(long bytes) {}

  /**
   * Runs {@code rounds} rounds that are compared in full and not timed, for tests whose timed
   * rounds cannot be.
   */
  default void check(int rounds, Findings findings) {}

  /**
   * Runs the rounds of {@code extent}.
   *
   * @param posted gets the time at which each round began, for ranks that measure
   * @param completed gets the time at which each message was seen to be complete, for tests of
   *     throughput
   */
  void rounds(Extent extent, Stamps posted, Stamps completed);

  /** Waits until everything that was sent here is visible, and compares it. */
  default void finish(Findings findings) {}
}
