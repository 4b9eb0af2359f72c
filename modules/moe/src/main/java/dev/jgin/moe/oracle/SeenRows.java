// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.oracle;

import java.lang.foreign.MemorySegment;

/**
 * What an engine delivered to one rank, as the {@link Verifier} looks at it. Rows count from 0 over
 * the whole output; payload and scales of a row are packed.
 */
public interface SeenRows {
  /** Rows in all, padding included. */
  long rows();

  /** The first row of a local expert; not asked where rows are not grouped by expert. */
  long start(int expert);

  /** Rows of a local expert without padding; not asked where rows are not grouped by expert. */
  long count(int expert);

  /** The segment that holds payloads. */
  MemorySegment payload();

  /** Where in {@link #payload} the payload of {@code row} begins. */
  long payloadAt(long row);

  /** The segment that holds scales; not asked without scales. */
  MemorySegment scales();

  /** Where in {@link #scales} the scales of {@code row} begin. */
  long scalesAt(long row);

  /** The rank that sent the row; -1 for padding. */
  int source(long row);

  /** The token at that rank; not asked for padding. */
  int token(long row);

  /** The lane of the token; not asked for padding, nor where a row stands for all lanes. */
  int lane(long row);

  /** The weight of that lane; asked when {@link #lane} is. */
  float weight(long row);

  /**
   * The local expert, counted from 0, that a lane of the row's token names, or -1 if it names none
   * of this rank; asked where a row stands for all lanes.
   */
  int localExpert(long row, int lane);

  /** The weight of that lane, 0 if it names no local expert. */
  float weight(long row, int lane);
}
