// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gin;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * Payload in lines that each carry the epoch: what {@link BarrierProtocol#ORDER_FREE} sends.
 *
 * <p>A line of L bytes is L − 8 bytes of payload and an 8-byte tag at its end. On a carrier whose
 * granule is at least L, a reader that acquires the tag and sees the epoch sees the rest of the
 * line at least as new. Every line is written whole, padding included, so a stale tag can only mean
 * that the line is not here yet.
 *
 * <p>Immutable; thread-safe as far as the segments are. Nothing allocates.
 */
public final class TaggedLines {

  private static final VarHandle TAG = ValueLayout.JAVA_LONG.varHandle();

  private final long line;
  private final long payload;

  /**
   * Lines of {@code lineBytes}.
   *
   * @throws IllegalArgumentException unless it is a power of two of at least 16
   */
  public TaggedLines(long lineBytes) {
    if (lineBytes < 16 || Long.bitCount(lineBytes) != 1) {
      throw new IllegalArgumentException(
          "a line of " + lineBytes + " bytes: it must be a power of two of at least 16");
    }
    this.line = lineBytes;
    this.payload = lineBytes - Long.BYTES;
  }

  /** Bytes of one line. */
  public long lineBytes() {
    return line;
  }

  /** Bytes that {@code rawBytes} of payload take. */
  public long encodedBytes(long rawBytes) {
    return lines(rawBytes) * line;
  }

  private long lines(long rawBytes) {
    return (rawBytes + payload - 1) / payload;
  }

  /**
   * Writes {@code rawBytes} of {@code src} as tagged lines; {@code dstOffset} is a multiple of a
   * line.
   */
  public void encode(
      MemorySegment src,
      long srcOffset,
      long rawBytes,
      MemorySegment dst,
      long dstOffset,
      long tag) {
    long done = 0;
    for (long at = dstOffset; done < rawBytes; at += line) {
      long bytes = Math.min(payload, rawBytes - done);
      MemorySegment.copy(src, srcOffset + done, dst, at, bytes);
      TAG.set(dst, at + payload, tag);
      done += bytes;
    }
  }

  /** Whether every line of {@code rawBytes} of payload carries {@code tag}. */
  public boolean fresh(MemorySegment lines, long offset, long rawBytes, long tag) {
    // From the back: the last line is the likeliest to be late.
    for (long i = lines(rawBytes) - 1; i >= 0; i--) {
      if ((long) TAG.getAcquire(lines, offset + i * line + payload) != tag) {
        return false;
      }
    }
    return true;
  }

  /**
   * Copies {@code rawBytes} of payload from position {@code rawFrom} on. Each line's tag is
   * acquired before its bytes are copied.
   *
   * @return false if a line does not carry {@code tag}; what was copied before it stays copied
   */
  public boolean decode(
      MemorySegment lines,
      long offset,
      long rawFrom,
      long rawBytes,
      MemorySegment dst,
      long dstOffset,
      long tag) {
    long done = 0;
    while (done < rawBytes) {
      long at = rawFrom + done;
      long within = at % payload;
      long start = offset + at / payload * line;
      if ((long) TAG.getAcquire(lines, start + payload) != tag) {
        return false;
      }
      long bytes = Math.min(payload - within, rawBytes - done);
      MemorySegment.copy(lines, start + within, dst, dstOffset + done, bytes);
      done += bytes;
    }
    return true;
  }
}
