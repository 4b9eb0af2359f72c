// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.emulated.lane;

import java.nio.ByteBuffer;

/**
 * What one end of a lane tells the other when they connect anew.
 *
 * @param rank whose end it is
 * @param context the lane's context
 * @param peer whom this end talks to
 * @param generation the generation that this address connects
 * @param initialPsn the first packet number that this end will send
 */
public record LaneAddress(int rank, int context, int peer, long generation, int initialPsn) {

  private static final int MAGIC = 0x6a67_6c61;
  private static final int BYTES = 28;

  /** The opaque form. */
  public byte[] encode() {
    return ByteBuffer.allocate(BYTES)
        .putInt(MAGIC)
        .putInt(rank)
        .putInt(context)
        .putInt(peer)
        .putLong(generation)
        .putInt(initialPsn)
        .array();
  }

  /**
   * Reads the opaque form.
   *
   * @throws IllegalStateException if it is not an address of an emulated lane
   */
  public static LaneAddress decode(byte[] address) {
    if (address.length != BYTES || ByteBuffer.wrap(address).getInt() != MAGIC) {
      throw new IllegalStateException(
          "an address of " + address.length + " bytes is not one of an emulated lane");
    }
    ByteBuffer in = ByteBuffer.wrap(address).position(4);
    return new LaneAddress(in.getInt(), in.getInt(), in.getInt(), in.getLong(), in.getInt());
  }
}
