// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe;

/** How far a dispatch or combine has come. */
public enum Phase {
  /** Not begun. */
  IDLE,
  /** Rows are being posted. */
  POSTING,
  /** The barrier's signals are being posted. */
  ARRIVING,
  /** Waiting for the barrier. */
  WAITING,
  /** The barrier is passed, received rows are being read; at its beginning none has been. */
  RECEIVING,
  /** All is received; own puts are still outstanding. */
  DRAINING,
  /** Over. */
  DONE
}
