// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.check;

/**
 * What stands in a receive buffer right now, row by row, believed or not: the input of {@link
 * Forensics}. Not for the hot path.
 */
public interface ReceivedRows {

  /** The context that carried a row, as the sender chose it. */
  int context(int source, long slot);

  /** The epoch in a row's header. */
  long epoch(int source, long slot);

  /** The source rank in a row's header. */
  int sourceRank(int source, long slot);

  /** The source token in a row's header. */
  int token(int source, long slot);

  /** The global expert id in a lane of a row's header. */
  int id(int source, long slot, int lane);

  /** Whether the rest of the row matches its header; true if it cannot be told. */
  boolean whole(int source, long slot);
}
