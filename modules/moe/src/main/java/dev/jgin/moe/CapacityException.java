// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe;

import dev.jgin.gin.GinException;

/** A dispatch brought more expert rows than the engine was given room for. */
public final class CapacityException extends GinException {
  private static final long serialVersionUID = 1L;

  private final long neededRows;

  /** Makes an exception for a dispatch of {@code neededRows} rows. */
  public CapacityException(int rank, long epoch, long neededRows, long maxExpertRows) {
    super(
        "rank "
            + rank
            + ": dispatch epoch "
            + epoch
            + " brings "
            + neededRows
            + " expert rows, padding included, and there is room for "
            + maxExpertRows
            + "; set maxExpertRows to at least "
            + neededRows);
    this.neededRows = neededRows;
  }

  /** Rows that would have fitted it. */
  public long neededRows() {
    return neededRows;
  }
}
