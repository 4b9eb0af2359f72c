// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.verbs.wire;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * One end of a lane as the other end needs it to connect.
 *
 * @param rank whose end it is
 * @param context the lane's context
 * @param peer whom this end talks to
 * @param generation the generation that this address connects
 * @param qpn number of the queue pair
 * @param psn the first packet number that this end will send
 * @param port the port that the queue pair lives on
 */
public record EndAddress(
    int rank, int context, int peer, long generation, int qpn, int psn, PortAddress port) {

  private static final int MAGIC = 0x6a67_7665;
  private static final int BYTES = 32 + PortAddress.BYTES;

  /** The opaque form. */
  public byte[] encode() {
    ByteBuffer out = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
    out.putInt(MAGIC).putInt(rank).putInt(context).putInt(peer).putLong(generation);
    out.putInt(qpn).putInt(psn);
    port.put(out);
    return out.array();
  }

  /**
   * Reads the opaque form.
   *
   * @throws IllegalStateException if it is not an address of a verbs lane
   */
  public static EndAddress decode(byte[] address) {
    ByteBuffer in = ByteBuffer.wrap(address).order(ByteOrder.LITTLE_ENDIAN);
    if (address.length != BYTES || in.getInt() != MAGIC) {
      throw new IllegalStateException(
          "an address of " + address.length + " bytes is not one of a verbs lane");
    }
    return new EndAddress(
        in.getInt(),
        in.getInt(),
        in.getInt(),
        in.getLong(),
        in.getInt(),
        in.getInt(),
        PortAddress.get(in));
  }
}
