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

  /** The rank that sent the row; not asked for padding. */
  int source(long row);

  /** The token at that rank; not asked for padding. */
  int token(long row);

  /** The lane of the token; not asked for padding, nor where a row stands for all lanes. */
  int lane(long row);

  /** The weight of that lane; asked when {@link #lane} is. */
  float weight(long row);

  /** The expert of a lane of the row's token; asked where a row stands for all lanes. */
  int id(long row, int lane);

  /** The weight of a lane of the row's token; asked where a row stands for all lanes. */
  float weight(long row, int lane);
}
