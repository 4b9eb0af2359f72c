// SPDX-License-Identifier: Apache-2.0
package dev.jgin.bindings;

/**
 * A native library cannot be used in this process. The message says why and what to do about it.
 */
public final class NativeUnavailableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  NativeUnavailableException(String message, Throwable cause) {
    super(message, cause);
  }
}
