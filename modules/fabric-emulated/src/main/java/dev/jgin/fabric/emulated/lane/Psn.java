// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.emulated.lane;

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

  /** How many packets {@code to} lies after {@code from}, 0 … 2^24 − 1. */
  public static int distance(int from, int to) {
    return (to - from) & MAX;
  }

  /**
   * Packets of a message: at least 1, because a message of zero bytes is one packet too.
   *
   * @param mtuShift binary logarithm of the payload bytes of one packet
   */
  public static long packets(long bytes, int mtuShift) {
    return bytes == 0 ? 1 : (bytes + (1L << mtuShift) - 1) >> mtuShift;
  }

  /** The first packet number of a lane in one generation: seeded, as real systems choose it. */
  public static int initial(long seed, int rank, int context, int peer, long generation) {
    long lane = ((long) rank << 40) ^ ((long) context << 20) ^ peer;
    return (int) (Seeded.mix(seed ^ Seeded.mix(lane) ^ generation) & MAX);
  }
}
