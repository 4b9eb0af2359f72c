// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.trace;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Lines of a UTF-8 stream, none longer than a limit: a longer one is refused after so many bytes,
 * whatever follows. Memory is bounded by the limit. Not thread-safe.
 */
final class BoundedLines {
  private static final char BYTE_ORDER_MARK = '\uFEFF';

  private final InputStream in;
  private final String file;
  private final int maxBytes;
  private final byte[] buffer = new byte[64 * 1024];
  private int from;
  private int to;
  private byte[] line = new byte[1024];
  private long number;
  private final CharsetDecoder utf8 =
      StandardCharsets.UTF_8
          .newDecoder()
          .onMalformedInput(CodingErrorAction.REPORT)
          .onUnmappableCharacter(CodingErrorAction.REPORT);

  BoundedLines(InputStream in, String file, int maxBytes) {
    this.in = in;
    this.file = file;
    this.maxBytes = maxBytes;
  }

  /** The number of the last line that {@link #next} returned or refused, counted from 1. */
  long number() {
    return number;
  }

  /** The next line without its end, or null after the last. */
  String next() throws IOException {
    number++;
    int length = 0;
    boolean any = false;
    while (fill()) {
      any = true;
      int end = from;
      while (end < to && buffer[end] != '\n') {
        end++;
      }
      length = append(length, end - from);
      boolean complete = end < to;
      from = complete ? end + 1 : end;
      if (complete) {
        break;
      }
    }
    return any ? decode(length) : null;
  }

  private boolean fill() throws IOException {
    if (from == to) {
      from = 0;
      to = Math.max(0, in.read(buffer));
    }
    return from < to;
  }

  private int append(int length, int more) throws TraceException {
    if (length + more > maxBytes) {
      throw new TraceException(
          file,
          number,
          "the line is longer than "
              + maxBytes
              + " bytes, the limit; a log has one record per line");
    }
    if (length + more > line.length) {
      line = Arrays.copyOf(line, Math.min(maxBytes, Math.max(2 * line.length, length + more)));
    }
    System.arraycopy(buffer, from, line, length, more);
    return length + more;
  }

  private String decode(int length) throws TraceException {
    ByteBuffer bytes = ByteBuffer.wrap(line, 0, length);
    try {
      String text = utf8.decode(bytes).toString();
      boolean marked = number == 1 && !text.isEmpty() && text.charAt(0) == BYTE_ORDER_MARK;
      return marked ? text.substring(1) : text;
    } catch (CharacterCodingException e) {
      throw new TraceException(
          file,
          number,
          "byte 0x%02X at column %d is not UTF-8; convert the log"
              .formatted(line[bytes.position()] & 0xFF, bytes.position() + 1),
          e);
    }
  }
}
