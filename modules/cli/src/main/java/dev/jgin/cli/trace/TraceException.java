// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.trace;

import java.io.IOException;

/** A trace that cannot be used. The message names the place, the value, the limit and a remedy. */
public final class TraceException extends IOException {
  private static final long serialVersionUID = 1L;

  /** A problem of a whole file. */
  public TraceException(String file, String problem) {
    super(file + ": " + problem);
  }

  /** A problem of one line, counted from 1. */
  public TraceException(String file, long line, String problem) {
    super(file + ":" + line + ": " + problem);
  }

  /** The same, with the failure that lies under it. */
  public TraceException(String file, long line, String problem, Throwable cause) {
    super(file + ":" + line + ": " + problem, cause);
  }
}
