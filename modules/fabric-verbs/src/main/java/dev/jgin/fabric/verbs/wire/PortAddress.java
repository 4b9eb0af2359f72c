// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.verbs.wire;

import java.nio.ByteBuffer;
import java.util.HexFormat;

/**
 * A port as its peers need it.
 *
 * @param ethernet whether its link layer is Ethernet (RoCE)
 * @param lid local identifier, for InfiniBand
 * @param gid global identifier, 16 bytes in network order
 * @param mtu largest path MTU in bytes that this rank will use
 * @param reads how many reads and atomics this rank answers at a time on one queue pair
 */
public record PortAddress(boolean ethernet, int lid, Gid gid, int mtu, int reads) {

  static final int BYTES = 32;

  /** The same port with another MTU: what a path through it has. */
  public PortAddress withMtu(int bytes) {
    return new PortAddress(ethernet, lid, gid, bytes, reads);
  }

  /** Appends the 32 bytes. */
  void put(ByteBuffer out) {
    out.put((byte) (ethernet ? 1 : 0)).put((byte) 0).putShort((short) lid);
    out.put(gid.bytes());
    out.putInt(mtu).putInt(reads).putInt(0);
  }

  /** Reads the 32 bytes. */
  static PortAddress get(ByteBuffer in) {
    boolean ethernet = in.get() == 1;
    in.get();
    int lid = Short.toUnsignedInt(in.getShort());
    byte[] gid = new byte[16];
    in.get(gid);
    PortAddress port = new PortAddress(ethernet, lid, new Gid(gid), in.getInt(), in.getInt());
    in.getInt();
    return port;
  }

  /** A global identifier; its text is that of an IPv6 address without compression. */
  public record Gid(String hex) {

    /** From 16 bytes in network order. */
    public Gid(byte[] bytes) {
      this(HexFormat.of().formatHex(bytes));
    }

    /** The 16 bytes in network order. */
    public byte[] bytes() {
      return HexFormat.of().parseHex(hex);
    }

    /** Whether nothing is in this place of the table. */
    public boolean isEmpty() {
      return hex.substring(16).equals("0".repeat(16));
    }

    /** Whether it stands for an IPv4 address. */
    public boolean isIpv4() {
      return hex.startsWith("00000000000000000000ffff");
    }

    @Override
    public String toString() {
      return hex.replaceAll("(.{4})(?!$)", "$1:");
    }
  }
}
