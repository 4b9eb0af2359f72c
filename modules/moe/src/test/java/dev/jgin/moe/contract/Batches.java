// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.contract;

import dev.jgin.moe.oracle.RankInput;

/** What every rank dispatches in every epoch. Pure: asked twice, it answers the same. */
public interface Batches {
  /** The input of one rank; epochs count from 1. */
  RankInput input(int rank, int stream, int epoch);

  /** Whether the routings of this epoch are those of the epoch before. */
  default boolean cached(int epoch) {
    return false;
  }
}
