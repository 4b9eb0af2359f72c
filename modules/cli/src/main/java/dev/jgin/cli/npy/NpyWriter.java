// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.npy;

import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Writes one {@code .npy} file, version 1.0, little-endian, C order, data at a multiple of 64
 * bytes.
 *
 * <p>The data come in any number of pieces, so that a dump need not be in memory at once. Not
 * thread-safe. A file whose writer was not closed normally is incomplete and readers refuse it.
 */
public final class NpyWriter implements Closeable {
  private static final int CHUNK = 64 * 1024;

  private final Path file;
  private final OutputStream out;
  private final long expected;
  private final ByteBuffer chunk = ByteBuffer.allocate(CHUNK).order(ByteOrder.LITTLE_ENDIAN);
  private long written;
  private boolean closed;

  /**
   * Creates {@code file}, or replaces it, and writes its header.
   *
   * @throws IllegalArgumentException if an extent is negative
   * @throws ArithmeticException if the array has more bytes than a {@code long} counts
   */
  public NpyWriter(Path file, NpyType type, long... shape) throws IOException {
    for (long extent : shape) {
      if (extent < 0) {
        throw new IllegalArgumentException(file + ": extent " + extent + " is negative");
      }
    }
    NpyHeader header =
        new NpyHeader(type, ByteOrder.LITTLE_ENDIAN, false, Arrays.stream(shape).boxed().toList());
    this.file = file;
    this.expected = Math.multiplyExact(header.elements(), type.bytes());
    this.out = new BufferedOutputStream(Files.newOutputStream(file));
    out.write(header.encode());
  }

  /** Writes a whole array of int32. */
  public static void write(Path file, int[] values, long... shape) throws IOException {
    try (NpyWriter writer = new NpyWriter(file, NpyType.INT32, shape)) {
      writer.write(values);
    }
  }

  /** Writes a whole array of int64. */
  public static void write(Path file, long[] values, long... shape) throws IOException {
    try (NpyWriter writer = new NpyWriter(file, NpyType.INT64, shape)) {
      for (long value : values) {
        writer.room(Long.BYTES).putLong(value);
      }
    }
  }

  /** Writes a whole array of float32. */
  public static void write(Path file, float[] values, long... shape) throws IOException {
    try (NpyWriter writer = new NpyWriter(file, NpyType.FLOAT32, shape)) {
      for (float value : values) {
        writer.room(Float.BYTES).putFloat(value);
      }
    }
  }

  /** Appends int32 elements. */
  public void write(int[] values) throws IOException {
    for (int value : values) {
      room(Integer.BYTES).putInt(value);
    }
  }

  /** Appends {@code bytes} bytes of a segment as they stand: they are little-endian already. */
  public void write(MemorySegment data, long offset, long bytes) throws IOException {
    for (long done = 0; done < bytes; ) {
      room(1);
      int piece = (int) Math.min(bytes - done, chunk.remaining());
      MemorySegment.copy(data, offset + done, MemorySegment.ofBuffer(chunk), 0, piece);
      chunk.position(chunk.position() + piece);
      done += piece;
    }
  }

  /**
   * Closes the file.
   *
   * @throws IOException if not exactly the bytes of the shape were written
   */
  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    try (OutputStream closing = out) {
      drain();
      closing.flush();
    }
    if (written != expected) {
      throw new IOException(
          file + ": wrote " + written + " bytes of data, the shape needs " + expected);
    }
  }

  private ByteBuffer room(int bytes) throws IOException {
    if (chunk.remaining() < bytes) {
      drain();
    }
    return chunk;
  }

  private void drain() throws IOException {
    out.write(chunk.array(), 0, chunk.position());
    written += chunk.position();
    chunk.clear();
  }
}
