// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.npy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** Files laid out by hand from the format's description, apart from the writer under test. */
public final class NpyBytes {
  private NpyBytes() {}

  /** A file of the given version with {@code dictionary} as its header and 64 KiB for data. */
  public static byte[] file(
      int version, String dictionary, ByteOrder order, Consumer<ByteBuffer> data) {
    byte[] text = (dictionary + "\n").getBytes(StandardCharsets.UTF_8);
    ByteBuffer file = ByteBuffer.allocate(64 * 1024 + text.length).order(ByteOrder.LITTLE_ENDIAN);
    file.put(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', (byte) version, 0});
    if (version == 1) {
      file.putShort((short) text.length);
    } else {
      file.putInt(text.length);
    }
    file.put(text).order(order);
    data.accept(file);
    byte[] bytes = new byte[file.position()];
    file.flip().get(bytes);
    return bytes;
  }

  /** The header dictionary that NumPy would write. */
  public static String dictionary(String descr, boolean fortranOrder, String shape) {
    return "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }"
        .formatted(descr, fortranOrder ? "True" : "False", shape);
  }
}
