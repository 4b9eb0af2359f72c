// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.check;

import dev.jgin.gin.GinException;
import java.util.List;

/**
 * A rank received something else than what was sent to it. The output is unusable and the stream
 * that found it takes no more work: the senders have moved on, so nothing can be retried.
 */
public final class ViolationException extends GinException {
  private static final long serialVersionUID = 1L;

  /** Violations spelled out in the message; the rest are counted. */
  private static final int SPELLED_OUT = 8;

  private final transient List<Violation> violations;

  /** Makes an exception for at least one violation, the one found first in front. */
  public ViolationException(List<Violation> violations) {
    super(message(violations));
    this.violations = List.copyOf(violations);
  }

  /** Everything found, the one found first in front. Empty after deserialisation. */
  public List<Violation> violations() {
    return violations == null ? List.of() : violations;
  }

  private static String message(List<Violation> violations) {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < Math.min(SPELLED_OUT, violations.size()); i++) {
      out.append(i == 0 ? "" : "\n  ").append(violations.get(i).describe());
    }
    if (violations.size() > SPELLED_OUT) {
      out.append("\n  and ").append(violations.size() - SPELLED_OUT).append(" more");
    }
    return out.toString();
  }
}
