// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gin.spi;

/** How a carrier must order accesses to a registered region. */
public enum RegionKind {
  /** Payload: relaxed ordering is allowed where the carrier offers it. */
  DATA,
  /** Signal cells and counters: always strictly ordered behind earlier writes of the lane (A4). */
  SIGNAL
}
