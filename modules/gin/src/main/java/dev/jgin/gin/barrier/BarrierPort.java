// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gin.barrier;

/**
 * What a barrier's steps see of the world. Members are numbers in the barrier's team; cells are
 * 8-byte words in this barrier's own signal memory, counted from 0, alike at every member. No call
 * blocks.
 */
public interface BarrierPort {

  /** Adds to the member's cell on the lane (context, member); false if the lane is full. */
  boolean tryAdd(int context, int member, long cell, long addend);

  /** Stores into the member's cell on the lane (context, member); false if the lane is full. */
  boolean tryStore(int context, int member, long cell, long value);

  /**
   * Writes the two cells of the member's count line from {@code cell} on, count first and tag last,
   * as one granule; false if the lane is full or the line's staging is still in use.
   */
  boolean tryStoreLine(int context, int member, long cell, long count, long tag);

  /** Loads one of the own cells with acquire. */
  long load(long cell);

  /** Puts posted so far on the lane (context, member): only grows. */
  long puts(int context, int member);

  /** Whether everything posted on the lane (context, member) is complete. */
  boolean flushed(int context, int member);

  /** Whether all {@code rows} rows that {@code member} announced for {@code epoch} are fresh. */
  boolean fresh(int member, long rows, long epoch);
}
