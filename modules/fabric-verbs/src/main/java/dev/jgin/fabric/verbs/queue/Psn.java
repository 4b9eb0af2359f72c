// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.verbs.queue;

/**
 * Packet sequence numbers: 24 bits, modulo 2^24 (InfiniBand Architecture Specification, volume 1,
 * section 9.7).
 */
public final class Psn {

  /** Largest packet number. */
  public static final int MAX = (1 << 24) - 1;

  private Psn() {}

  /** {@code psn + packets} modulo 2^24. */
  public static int add(int psn, long packets) {
    return (int) ((psn + packets) & MAX);
  }

  /**
   * Packet numbers that a message takes: of a write its packets, of a read those of its response,
   * at least 1 each.
   *
   * @param mtuShift binary logarithm of the path MTU
   */
  public static long packets(long bytes, int mtuShift) {
    return bytes == 0 ? 1 : (bytes + (1L << mtuShift) - 1) >> mtuShift;
  }
}
