// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.verbs.wire;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * What a rank tells all others when it opens: its port and, for every lane, the queue pair and
 * first packet number of its end.
 *
 * @param fabric the specification, equal on every rank
 * @param port where the queue pairs live
 * @param ends ends of all lanes: that of lane (context, peer) at {@code context * ranks + peer}
 */
public record OpenRecord(String fabric, PortAddress port, List<End> ends) {

  /**
   * One end of a lane.
   *
   * @param qpn number of the queue pair
   * @param psn the first packet number that this end will send
   */
  public record End(int qpn, int psn) {}

  private static final int MAGIC = 0x6a67_766f;
  private static final int VERSION = 1;
  private static final int END_BYTES = 8;

  public OpenRecord {
    ends = List.copyOf(ends);
  }

  /** The end of lane (context, peer) in a world of {@code ranks}. */
  public End end(int context, int peer, int ranks) {
    return ends.get(context * ranks + peer);
  }

  /** The wire form. */
  public byte[] encode() {
    byte[] text = fabric.getBytes(StandardCharsets.UTF_8);
    ByteBuffer out =
        ByteBuffer.allocate(16 + text.length + PortAddress.BYTES + END_BYTES * ends.size())
            .order(ByteOrder.LITTLE_ENDIAN);
    out.putInt(MAGIC).putInt(VERSION).putInt(text.length).putInt(ends.size()).put(text);
    port.put(out);
    for (End end : ends) {
      out.putInt(end.qpn()).putInt(end.psn());
    }
    return out.array();
  }

  /**
   * Reads the wire form.
   *
   * @throws IllegalArgumentException if it is another version, or not such a record
   */
  public static OpenRecord decode(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    if (bytes.length < 16 || in.getInt() != MAGIC) {
      throw new IllegalArgumentException(bytes.length + " bytes are no record of a verbs rank");
    }
    int version = in.getInt();
    if (version != VERSION) {
      throw new IllegalArgumentException(
          "record of version "
              + version
              + ", but this is version "
              + VERSION
              + ": run the same release on every rank");
    }
    int text = in.getInt();
    int count = in.getInt();
    long expected = 16L + text + PortAddress.BYTES + (long) END_BYTES * count;
    if (text < 0 || count < 0 || expected != bytes.length) {
      throw new IllegalArgumentException(
          "record of " + bytes.length + " bytes announces " + expected);
    }
    String fabric = new String(bytes, 16, text, StandardCharsets.UTF_8);
    in.position(16 + text);
    PortAddress port = PortAddress.get(in);
    List<End> ends = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      ends.add(new End(in.getInt(), in.getInt()));
    }
    return new OpenRecord(fabric, port, ends);
  }
}
