// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.verbs;

import dev.jgin.gin.GinException;

/** A verbs call failed; the message names the call, its arguments, errno and the remedy. */
public final class VerbsException extends GinException {
  private static final long serialVersionUID = 1L;

  private final int errno;

  /** Makes an exception; {@code errno} is 0 where the call gives none. */
  public VerbsException(String message, int errno) {
    super(message);
    this.errno = errno;
  }

  /** The error number of the operating system; 0 if there is none. */
  public int errno() {
    return errno;
  }
}
