// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.verbs;

import dev.jgin.gin.spi.Axiom;
import dev.jgin.gin.spi.Axioms;

/**
 * What queue pairs promise: A1w, A1s, A4 and A6 with strictly ordered regions, because a responder
 * executes the packets of one queue pair in order, and the bus keeps the order of writes without
 * the relaxed-ordering attribute.
 *
 * <p>With {@code ro=on} data regions carry that attribute and A1w is not promised. Signal regions
 * never carry it, and a strictly ordered write passes no earlier one, so A4 stays (PCI Express Base
 * Specification, section 2.4.1).
 *
 * <p>The granule is 64 bytes for an adapter on x86-64: its posted writes cover whole cache lines
 * and the root complex merges a line as one. That is how the hardware behaves and no standard
 * promises it; a protocol that leans on it should run beside the audit mode first. A driver in the
 * kernel (rxe) copies with the kernel's {@code memcpy}, of which only naturally aligned words of 8
 * bytes come whole: 8, and ORDER_FREE is refused there.
 */
public final class VerbsAxioms {

  private static final long CACHE_LINE = 64;

  private VerbsAxioms() {}

  /** The promises with or without relaxed data, of a kernel driver or an adapter. */
  static Axioms of(boolean relaxed, boolean software) {
    Axioms strict = Axioms.reliableConnected(software || !isX86() ? Long.BYTES : CACHE_LINE);
    return relaxed ? strict.without(Axiom.A1W) : strict;
  }

  private static boolean isX86() {
    return System.getProperty("os.arch").equals("amd64");
  }
}
