// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.npy;

import java.io.IOException;

/** A NumPy file that cannot be used. The message names the file, the value and the remedy. */
public final class NpyFormatException extends IOException {
  private static final long serialVersionUID = 1L;

  /** A failure in the file or archive member {@code source}. */
  public NpyFormatException(String source, String problem) {
    super(source + ": " + problem);
  }

  /** The same, with the failure that lies under it. */
  public NpyFormatException(String source, String problem, Throwable cause) {
    super(source + ": " + problem, cause);
  }
}
