// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.check;

import java.util.Locale;

/** How a violation would show in an engine that did not check. */
public enum Symptom {
  /** A row is taken for an expert that its source did not count it for. */
  PHANTOM,
  /** A counted row is not there: something older stands in its place. */
  MISSING,
  /** Two rows are given the same place, or one token comes twice. */
  DOUBLE_ASSIGNED,
  /** A counted place of the output is never written. */
  UNWRITTEN,
  /** A place or an expert outside the buffers is named. */
  OUT_OF_BOUNDS,
  /** The header is fresh, the bytes behind it are not all of the same row. */
  TORN;

  /** The name used in reports: {@code double-assigned}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
