// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gin;

/**
 * Base of the errors that jgin reports at run time; usage errors are {@link
 * IllegalArgumentException}.
 */
public abstract class GinException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Makes an exception with a message that names value, limit and remedy. */
  protected GinException(String message) {
    super(message);
  }
}
