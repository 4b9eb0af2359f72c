// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.verbs.wire;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * One rank's memory behind a region.
 *
 * @param address where it begins, in that rank's address space
 * @param rkey the key that its device demands
 */
public record RegionKey(long address, int rkey) {

  private static final int BYTES = 12;

  /** The wire form. */
  public byte[] encode() {
    return ByteBuffer.allocate(BYTES)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong(address)
        .putInt(rkey)
        .array();
  }

  /**
   * Reads the wire form.
   *
   * @throws IllegalArgumentException if it has another length
   */
  public static RegionKey decode(byte[] bytes) {
    if (bytes.length != BYTES) {
      throw new IllegalArgumentException("a region key of " + bytes.length + " bytes");
    }
    ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    return new RegionKey(in.getLong(), in.getInt());
  }
}
