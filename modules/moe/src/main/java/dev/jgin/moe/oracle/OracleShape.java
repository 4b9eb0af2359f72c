// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.oracle;

import dev.jgin.moe.numeric.DType;
import dev.jgin.moe.numeric.ScaleFormat;

/**
 * The numbers that decide what dispatch and combine deliver.
 *
 * @param ranks ranks of the team
 * @param experts experts of the model; rank {@code r} owns {@code [r*E/R, (r+1)*E/R)}
 * @param hidden elements of a row
 * @param dtype type of a dispatched element
 * @param scales scales that travel with a row
 * @param combineDtype type of an expert's output and of the combined output
 * @param alignment the first row of each expert is a multiple of this; the gap is zero
 */
public record OracleShape(
    int ranks,
    int experts,
    int hidden,
    DType dtype,
    ScaleFormat scales,
    DType combineDtype,
    int alignment) {

  /** Bytes of one dispatched row, scales not included. */
  public long rowBytes() {
    return dtype.bytes() * hidden;
  }

  /** Bytes of the scales of one row. */
  public long scaleBytes() {
    return scales.bytes() * ((hidden + ScaleFormat.BLOCK - 1) / ScaleFormat.BLOCK);
  }

  /** Bytes of one row that experts give back. */
  public long combineRowBytes() {
    return combineDtype.bytes() * hidden;
  }

  /** The first expert of {@code rank}; for {@code rank == ranks} the number of experts. */
  public int firstExpert(int rank) {
    return (int) ((long) rank * experts / ranks);
  }

  /** Whether {@code expert} lives on {@code rank}; a masked lane's expert lives nowhere. */
  public boolean isOn(int rank, int expert) {
    return firstExpert(rank) <= expert && expert < firstExpert(rank + 1);
  }

  /** The rank whose block holds {@code expert}, found by looking at every rank. */
  public int owner(int expert) {
    for (int rank = 0; rank < ranks; rank++) {
      if (isOn(rank, expert)) {
        return rank;
      }
    }
    throw new IllegalArgumentException("expert " + expert + " of " + experts);
  }
}
