// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.perf.loop;

import dev.jgin.gin.GinException;

/** This rank ended its wait because another rank of the process has failed. */
final class StoppedException extends GinException {
  private static final long serialVersionUID = 1L;

  StoppedException(Throwable why) {
    super("another rank failed: " + why.getMessage());
  }
}
