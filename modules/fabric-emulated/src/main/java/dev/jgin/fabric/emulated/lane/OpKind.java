// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.emulated.lane;

/** What a posted operation does, as far as order is concerned. */
public enum OpKind {
  /** Stores into a data region: ordered by A1w. */
  WRITE,
  /** Stores into a signal region, inline or from a buffer: ordered by A1s and A4. */
  SIGNAL_WRITE,
  /** Adds to a signal cell: ordered by A1s and A4, counted by A6. */
  ATOMIC,
  /** Loads at the target and stores here; done before its completion. */
  READ;

  /** Whether A1s and A4 speak of it. */
  public boolean isSignal() {
    return this == SIGNAL_WRITE || this == ATOMIC;
  }
}
