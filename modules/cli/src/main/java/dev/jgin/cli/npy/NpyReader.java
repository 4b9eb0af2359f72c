// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.npy;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Reads {@code .npy} data, format versions 1 to 3, in either byte order and either index order.
 * Stateless.
 *
 * <p>Memory grows with the bytes that are there, never with what a header claims.
 */
public final class NpyReader {
  /** No array may hold more bytes of data: it is read into one Java array. */
  public static final long MAX_BYTES = 1L << 30;

  private static final int MAX_HEADER_BYTES = 64 * 1024;

  private NpyReader() {}

  /**
   * Reads a file.
   *
   * @throws NpyFormatException if it is not an {@code .npy} file, is cut short, has bytes left
   *     over, or holds a type or size that is not supported
   */
  public static NpyArray read(Path file) throws IOException {
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
      return read(in, file.toString());
    }
  }

  /** Reads a stream to its end; {@code source} names it in messages. The stream stays open. */
  public static NpyArray read(InputStream in, String source) throws IOException {
    NpyHeader header = readHeader(in, source);
    long bytes = dataBytes(header, source);
    byte[] data = in.readNBytes((int) bytes);
    if (data.length < bytes) {
      throw new NpyFormatException(
          source,
          "cut short: the shape "
              + header.shape()
              + " needs "
              + bytes
              + " bytes of data, the file has "
              + data.length
              + "; write it again");
    }
    if (in.read() >= 0) {
      throw new NpyFormatException(
          source, "has bytes after the " + bytes + " bytes of its array; one file holds one array");
    }
    return new NpyArray(source, header, ByteBuffer.wrap(data));
  }

  private static NpyHeader readHeader(InputStream in, String source) throws IOException {
    byte[] prefix = in.readNBytes(NpyHeader.MAGIC.length + 2);
    if (prefix.length < NpyHeader.MAGIC.length + 2
        || !Arrays.equals(prefix, 0, 6, NpyHeader.MAGIC, 0, 6)) {
      throw new NpyFormatException(
          source,
          "is not an .npy file: it does not begin with \\x93NUMPY; write it with numpy.save");
    }
    int version = prefix[6];
    if (version < 1 || version > 3) {
      throw new NpyFormatException(
          source, "format version " + (version & 0xFF) + " is not supported: need 1 to 3");
    }
    byte[] size = in.readNBytes(version == 1 ? 2 : 4);
    long length = 0;
    for (int i = size.length - 1; i >= 0; i--) {
      length = length << 8 | (size[i] & 0xFF);
    }
    if (length > MAX_HEADER_BYTES) {
      throw new NpyFormatException(
          source, "claims a header of " + length + " bytes, the limit is " + MAX_HEADER_BYTES);
    }
    byte[] text = in.readNBytes((int) length);
    if (size.length < (version == 1 ? 2 : 4) || text.length < length) {
      throw new NpyFormatException(source, "is cut short inside its header; write it again");
    }
    return NpyHeaderParser.parse(
        source,
        new String(text, version == 3 ? StandardCharsets.UTF_8 : StandardCharsets.ISO_8859_1));
  }

  private static long dataBytes(NpyHeader header, String source) throws NpyFormatException {
    try {
      long bytes = Math.multiplyExact(header.elements(), header.type().bytes());
      if (bytes <= MAX_BYTES) {
        return bytes;
      }
    } catch (ArithmeticException e) {
      throw tooLarge(header, source, e);
    }
    throw tooLarge(header, source, null);
  }

  private static NpyFormatException tooLarge(NpyHeader header, String source, Throwable cause) {
    return new NpyFormatException(
        source,
        "the shape "
            + header.shape()
            + " of "
            + header.type().code()
            + " exceeds the limit of "
            + MAX_BYTES
            + " bytes; save fewer tokens",
        cause);
  }
}
