// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gpu.proxy;

import dev.jgin.gin.GinException;

/** A stream was ended by its owner, not by something that went wrong on a lane. */
public final class ProxyAbortedException extends GinException {
  private static final long serialVersionUID = 1L;

  ProxyAbortedException(int rank, int stream, String why) {
    super("rank " + rank + ", stream " + stream + ": the proxy was told to end: " + why);
  }
}
