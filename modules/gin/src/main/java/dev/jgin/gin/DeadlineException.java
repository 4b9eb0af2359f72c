// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gin;

/** A wait passed its deadline; the message says what was waited for and who is missing. */
public final class DeadlineException extends GinException {
  private static final long serialVersionUID = 1L;

  /** Makes an exception; {@code what} is a noun phrase such as {@code barrier epoch 7: …}. */
  public DeadlineException(int rank, String what, long timeoutNanos) {
    super("rank " + rank + ": deadline of " + timeoutNanos / 1_000_000 + " ms passed: " + what);
  }

  /** The same wait with what to do about it, by whoever knows: an option, a place to look. */
  public DeadlineException(DeadlineException passed, String remedy) {
    super(passed.getMessage() + "; " + remedy);
    initCause(passed);
  }
}
