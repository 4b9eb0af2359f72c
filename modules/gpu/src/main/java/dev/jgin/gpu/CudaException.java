// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gpu;

import java.io.Serial;

/** A call of the CUDA driver failed. The message names the call, the result and the remedy. */
public final class CudaException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  private final String call;
  private final int result;

  CudaException(String call, int result) {
    super(call + ": " + CudaResult.describe(result));
    this.call = call;
    this.result = result;
  }

  /** The function of the driver, with what it was asked. */
  public String call() {
    return call;
  }

  /** The {@code CUresult}: a number of {@code cuda.h}. */
  public int result() {
    return result;
  }
}
