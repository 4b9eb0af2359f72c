// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.npy;

import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What an {@code .npy} file says about its data.
 *
 * @param type the element type
 * @param order the byte order of each element; of no account for one-byte types
 * @param fortranOrder whether the first index varies fastest, instead of the last
 * @param shape the extent of each dimension, none negative
 */
record NpyHeader(NpyType type, ByteOrder order, boolean fortranOrder, List<Long> shape) {
  static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};

  /** The data of files written here begins at a multiple of this many bytes. */
  static final int ALIGNMENT = 64;

  NpyHeader {
    shape = List.copyOf(shape);
  }

  /**
   * The number of elements.
   *
   * @throws ArithmeticException if it does not fit a {@code long}
   */
  long elements() {
    long elements = 1;
    for (long extent : shape) {
      elements = Math.multiplyExact(elements, extent);
    }
    return elements;
  }

  /** A whole version 1.0 header, magic to newline, padded to {@value #ALIGNMENT} bytes. */
  byte[] encode() {
    String extents = shape.stream().map(Object::toString).collect(Collectors.joining(", "));
    String dictionary =
        "{'descr': '%s%s', 'fortran_order': %s, 'shape': (%s%s), }"
            .formatted(
                type.bytes() == 1 ? "|" : order == ByteOrder.LITTLE_ENDIAN ? "<" : ">",
                type.code(),
                fortranOrder ? "True" : "False",
                extents,
                shape.size() == 1 ? "," : "");
    int prefix = MAGIC.length + 4;
    int length = Math.ceilDiv(prefix + dictionary.length() + 1, ALIGNMENT) * ALIGNMENT;
    byte[] header = new byte[length];
    Arrays.fill(header, (byte) ' ');
    System.arraycopy(MAGIC, 0, header, 0, MAGIC.length);
    header[6] = 1;
    header[7] = 0;
    header[8] = (byte) (length - prefix);
    header[9] = (byte) ((length - prefix) >>> 8);
    byte[] text = dictionary.getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(text, 0, header, prefix, text.length);
    header[length - 1] = '\n';
    return header;
  }
}
