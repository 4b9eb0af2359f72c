// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gin.spi;

/**
 * One promise that a carrier may make about the order in which a target sees what was posted.
 *
 * <p>The names A1w, A1s, A2, A3, A4, A6 are those of the axiom table in {@code
 * docs/architecture.md}. A2 ("nothing is promised between lanes") and A3 ("a completion means the
 * source is reusable, never that the target sees the bytes") are stated there as the
 * <em>absence</em> of a promise; here each is the promise itself, so that a carrier which really
 * keeps it (plain copies in one process, NVLink behind a cumulative release) can say so.
 */
public enum Axiom {
  /** Writes of one lane become visible at the target in posting order. */
  A1W("A1w", "writes of one lane become visible in posting order"),
  /**
   * Signals (atomics and stores into a signal window) of one lane become visible in posting order.
   */
  A1S("A1s", "signals of one lane become visible in posting order"),
  /** What one lane made visible before, no other lane of the same pair of ranks can overtake. */
  A2_ACROSS_LANES("A2+", "operations of different lanes become visible in posting order"),
  /** A completion at the source means that the target can see the bytes. */
  A3_COMPLETION_IS_VISIBLE("A3+", "a completion means visible at the target"),
  /** A store or atomic into a signal window is seen only after every earlier write of its lane. */
  A4("A4", "a signal is seen only after every earlier write of its lane"),
  /** An atomic takes effect exactly once, unless its lane fails. */
  A6("A6", "an atomic takes effect exactly once");

  private final String label;
  private final String promise;

  Axiom(String label, String promise) {
    this.label = label;
    this.promise = promise;
  }

  /** The short name used in tables and on the command line, for example {@code A1w}. */
  public String label() {
    return label;
  }

  /** The promise as a sentence without subject, fit for an error message. */
  public String promise() {
    return promise;
  }
}
