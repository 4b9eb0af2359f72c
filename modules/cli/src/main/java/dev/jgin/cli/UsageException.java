// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli;

/**
 * What was asked for cannot be done as asked: a bad option, a malformed file, a protocol that the
 * carrier does not carry, a budget that does not suffice. The message names the value, the limit
 * and the remedy. Ends the command with {@link ExitCode#USAGE}.
 */
public final class UsageException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Makes an exception with a message that stands alone. */
  public UsageException(String message) {
    super(message);
  }

  /** Makes an exception with a message that stands alone, and what led to it. */
  public UsageException(String message, Throwable cause) {
    super(message, cause);
  }
}
