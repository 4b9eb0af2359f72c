// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.gpu;

import dev.jgin.gin.GinException;

/** A kernel ended early for a reason that is no violation, no capacity and no deadline. */
public final class KernelException extends GinException {
  private static final long serialVersionUID = 1L;

  private final int code;

  KernelException(int rank, String operation, int code, String why) {
    super("rank " + rank + ", " + operation + ": " + why);
    this.code = code;
  }

  /** {@code JGIN_ERROR_…} of abi.h. */
  public int code() {
    return code;
  }
}
