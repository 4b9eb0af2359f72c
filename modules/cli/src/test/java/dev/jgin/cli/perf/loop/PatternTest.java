// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.perf.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PatternTest {
  @ParameterizedTest
  @ValueSource(longs = {1, 7, 8, 9, 100, 4096})
  void shouldFindEachWrongByte(long bytes) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(bytes + 3);
      long key = Pattern.key(1, 0, 5);
      Pattern.fill(memory, 3, bytes, key);
      assertEquals(0, Pattern.differing(memory, 3, 0, bytes, key));
      assertEquals(bytes, Pattern.firstDiffering(memory, 3, 0, bytes, key));
      for (long at = 0; at < bytes; at++) {
        byte was = memory.get(ValueLayout.JAVA_BYTE, 3 + at);
        memory.set(ValueLayout.JAVA_BYTE, 3 + at, (byte) (was ^ 0x10));
        assertEquals(1, Pattern.differing(memory, 3, 0, bytes, key));
        assertEquals(at, Pattern.firstDiffering(memory, 3, 0, bytes, key));
        assertEquals(0, Pattern.differing(memory, 3, at + 1, bytes, key));
        memory.set(ValueLayout.JAVA_BYTE, 3 + at, was);
      }
    }
  }

  @Test
  void shouldDifferByMessageRankAndSeed() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(1024);
      Pattern.fill(memory, 0, 1024, Pattern.key(1, 0, 5));
      for (long other :
          new long[] {Pattern.key(1, 0, 6), Pattern.key(1, 1, 5), Pattern.key(2, 0, 5)}) {
        // A byte in 256 is the same by chance.
        assertTrue(Pattern.differing(memory, 0, 0, 1024, other) > 980);
      }
    }
  }
}
