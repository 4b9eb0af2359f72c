// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class BoundedLinesTest {
  @Test
  void shouldSplitAtEveryBufferBoundary() throws IOException {
    // Lines of every length around the buffer's, so that ends fall before, at and after it.
    StringBuilder text = new StringBuilder();
    int[] lengths = {0, 1, 65_535, 65_536, 65_537, 0, 131_072, 3};
    for (int length : lengths) {
      text.append("x".repeat(length)).append('\n');
    }
    BoundedLines lines = lines(text.toString().getBytes(StandardCharsets.UTF_8), 1 << 20);
    for (int length : lengths) {
      assertEquals(length, lines.next().length());
    }
    assertNull(lines.next());
  }

  @Test
  void shouldReturnALastLineWithoutItsEnd() throws IOException {
    BoundedLines lines = lines("a\nb".getBytes(StandardCharsets.UTF_8), 10);
    assertEquals("a", lines.next());
    assertEquals("b", lines.next());
    assertEquals(2, lines.number());
    assertNull(lines.next());
  }

  @Test
  void shouldAcceptALineOfExactlyTheLimit() throws IOException {
    assertEquals("12345", lines("12345\n".getBytes(StandardCharsets.UTF_8), 5).next());
    BoundedLines lines = lines("1\n123456\n".getBytes(StandardCharsets.UTF_8), 5);
    lines.next();
    TraceException error = assertThrows(TraceException.class, lines::next);
    assertTrue(error.getMessage().startsWith("log:2: the line is longer than 5 bytes"));
  }

  @Test
  void shouldRefuseALineOfAGigabyteAfterReadingLittleOfIt() {
    int limit = TraceOptions.DEFAULT_MAX_LINE_BYTES;
    EndlessLine endless = new EndlessLine(1L << 30);
    JsonlTraceReader reader = new JsonlTraceReader(endless, "log", TraceOptions.defaults());
    TraceException error = assertThrows(TraceException.class, reader::read);
    assertTrue(error.getMessage().startsWith("log:1: the line is longer than 1048576 bytes"));
    assertTrue(endless.given <= limit + 64 * 1024, () -> endless.given + " bytes read");
  }

  @Test
  void shouldNameTheByteThatIsNotUtf8() throws IOException {
    byte[][] bad = {
      {'a', (byte) 0xFF}, {'a', (byte) 0xC0, (byte) 0x80}, {'a', (byte) 0xE2, (byte) 0x82}
    };
    for (byte[] line : bad) {
      BoundedLines lines = lines(line, 100);
      TraceException error = assertThrows(TraceException.class, lines::next);
      assertTrue(
          error.getMessage().startsWith("log:1: byte 0x%02X at column 2".formatted(line[1])),
          error.getMessage());
    }
    assertEquals("é", lines("é".getBytes(StandardCharsets.UTF_8), 100).next());
  }

  private static BoundedLines lines(byte[] bytes, int maxBytes) {
    return new BoundedLines(new ByteArrayInputStream(bytes), "log", maxBytes);
  }

  /** One line of so many bytes, made up as it is read. */
  private static final class EndlessLine extends InputStream {
    private final long length;
    private long given;

    EndlessLine(long length) {
      this.length = length;
    }

    @Override
    public int read() {
      return given++ < length ? '[' : -1;
    }

    @Override
    public int read(byte[] buffer, int offset, int count) {
      int now = (int) Math.min(count, length - given);
      Arrays.fill(buffer, offset, offset + now, (byte) '[');
      given += now;
      return now == 0 ? -1 : now;
    }
  }
}
