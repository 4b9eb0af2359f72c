// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TaggedLinesTest {

  private static final long TAG = 0x1_0000_0003L;

  private final Arena arena = Arena.ofAuto();

  private MemorySegment pattern(long bytes) {
    MemorySegment segment = arena.allocate(Math.max(bytes, 1), 8);
    for (long i = 0; i < bytes; i++) {
      segment.set(ValueLayout.JAVA_BYTE, i, (byte) (i * 31 + 7));
    }
    return segment;
  }

  @ParameterizedTest
  @ValueSource(longs = {16, 64, 128})
  void shouldGiveBackEveryRangeOfWhatWasEncoded(long line) {
    TaggedLines lines = new TaggedLines(line);
    for (long bytes : new long[] {0, 1, line - 9, line - 8, line - 7, 3 * line + 5}) {
      MemorySegment raw = pattern(bytes);
      MemorySegment encoded = arena.allocate(line + lines.encodedBytes(bytes), 128);
      lines.encode(raw, 0, bytes, encoded, line, TAG);
      assertTrue(lines.fresh(encoded, line, bytes, TAG));
      for (long from = 0; from <= bytes; from += 5) {
        MemorySegment back = arena.allocate(Math.max(1, bytes - from), 8);
        assertTrue(lines.decode(encoded, line, from, bytes - from, back, 0, TAG));
        assertEquals(
            -1, MemorySegment.mismatch(raw, from, bytes, back, 0, bytes - from), "from " + from);
      }
    }
  }

  @Test
  void shouldSeeEachSingleStaleLine() {
    TaggedLines lines = new TaggedLines(64);
    long bytes = 5 * 56;
    MemorySegment raw = pattern(bytes);
    for (int stale = 0; stale < 5; stale++) {
      MemorySegment encoded = arena.allocate(lines.encodedBytes(bytes), 64);
      lines.encode(raw, 0, bytes, encoded, 0, TAG);
      // Only the high half of the tag differs: a short tag would not see it.
      encoded.set(ValueLayout.JAVA_LONG, stale * 64L + 56, TAG & 0xFFFF_FFFFL);
      assertFalse(lines.fresh(encoded, 0, bytes, TAG), "line " + stale);
      MemorySegment back = arena.allocate(bytes, 8);
      assertFalse(lines.decode(encoded, 0, 0, bytes, back, 0, TAG), "line " + stale);
    }
  }

  @Test
  void shouldRefuseLinesThatNoGranuleHolds() {
    assertThrows(IllegalArgumentException.class, () -> new TaggedLines(8));
    assertThrows(IllegalArgumentException.class, () -> new TaggedLines(96));
  }
}
