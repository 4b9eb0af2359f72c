// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.npy;

import java.nio.ByteBuffer;
import java.util.Objects;

/** An array read from a file: a shape and its elements. Immutable. */
public final class NpyArray {
  private final String source;
  private final NpyHeader header;
  private final ByteBuffer data;
  private final long[] extents;
  private final long[] strides;

  NpyArray(String source, NpyHeader header, ByteBuffer data) {
    this.source = source;
    this.header = header;
    this.data = data.order(header.order());
    this.extents = header.shape().stream().mapToLong(Long::longValue).toArray();
    this.strides = new long[extents.length];
    long stride = header.type().bytes();
    for (int i = 0; i < extents.length; i++) {
      int d = header.fortranOrder() ? i : extents.length - 1 - i;
      strides[d] = stride;
      stride *= extents[d];
    }
  }

  /** The file, and the member of an archive, that the array came from; for messages. */
  public String source() {
    return source;
  }

  /** The element type. */
  public NpyType type() {
    return header.type();
  }

  /** The number of dimensions; 0 for a scalar. */
  public int dimensions() {
    return extents.length;
  }

  /** The extent of one dimension. */
  public long extent(int dimension) {
    return extents[dimension];
  }

  /** The number of elements. */
  public long elements() {
    return header.elements();
  }

  /**
   * The element at {@code index}, one index for each dimension, whichever order the file is in.
   *
   * @throws ArithmeticException if the type is not an integer
   */
  public long longAt(long... index) {
    int at = byteIndex(index);
    return switch (header.type()) {
      case INT8 -> data.get(at);
      case UINT8 -> data.get(at) & 0xFFL;
      case INT16 -> data.getShort(at);
      case UINT16 -> data.getShort(at) & 0xFFFFL;
      case INT32 -> data.getInt(at);
      case UINT32 -> data.getInt(at) & 0xFFFF_FFFFL;
      case INT64 -> data.getLong(at);
      case FLOAT16, FLOAT32, FLOAT64 ->
          throw new ArithmeticException(source + ": " + header.type() + " is not an integer type");
    };
  }

  /** The element at {@code index} as a double; integers above 2^53 are rounded. */
  public double doubleAt(long... index) {
    return switch (header.type()) {
      case FLOAT16 -> Float.float16ToFloat(data.getShort(byteIndex(index)));
      case FLOAT32 -> data.getFloat(byteIndex(index));
      case FLOAT64 -> data.getDouble(byteIndex(index));
      default -> (double) longAt(index);
    };
  }

  private int byteIndex(long[] index) {
    if (index.length != extents.length) {
      throw new IndexOutOfBoundsException(
          index.length + " indices into the shape " + shapeText() + " of " + source);
    }
    long at = 0;
    for (int d = 0; d < extents.length; d++) {
      at += Objects.checkIndex(index[d], extents[d]) * strides[d];
    }
    return (int) at;
  }

  /** The shape as Python writes it, for messages. */
  public String shapeText() {
    StringBuilder text = new StringBuilder("(");
    for (int d = 0; d < dimensions(); d++) {
      text.append(d == 0 ? "" : ", ").append(extent(d));
    }
    return text.append(dimensions() == 1 ? ",)" : ")").toString();
  }
}
