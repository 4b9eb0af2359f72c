// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.emulated.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StoresTest {

  @ParameterizedTest
  @ValueSource(ints = {8, 16, 64, 256})
  void shouldCopyExactlyTheRangeWhateverItsAlignment(int granule) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment from = arena.allocate(2048, 4096);
      MemorySegment to = arena.allocate(2048, 4096);
      for (int i = 0; i < 2048; i++) {
        from.set(ValueLayout.JAVA_BYTE, i, (byte) (i * 7 + 1));
      }
      for (int start = 0; start < 70; start += 3) {
        for (int bytes = 0; bytes < 600; bytes = bytes * 3 / 2 + 1) {
          to.fill((byte) 0);
          Stores.copyGranules(from, 5, to, start, bytes, granule);
          assertEquals(
              -1, from.asSlice(5, bytes).mismatch(to.asSlice(start, bytes)), start + " " + bytes);
          assertEquals(0, nonZero(to, 0, start), "before");
          assertEquals(0, nonZero(to, start + bytes, 2048), "after");
        }
      }
    }
  }

  private static int nonZero(MemorySegment segment, int from, int to) {
    int n = 0;
    for (int i = from; i < to; i++) {
      n += segment.get(ValueLayout.JAVA_BYTE, i) == 0 ? 0 : 1;
    }
    return n;
  }

  @Test
  void shouldStoreLowBytesLittleEndian() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment to = arena.allocate(64, 64);
      for (int bytes = 1; bytes <= 8; bytes *= 2) {
        Stores.word(to, 8L * bytes % 64, 0x8877665544332211L, bytes);
        assertEquals(0x11, to.get(ValueLayout.JAVA_BYTE, 8L * bytes % 64));
      }
      assertThrows(IllegalArgumentException.class, () -> Stores.word(to, 0, 1, 3));
    }
  }

  @Test
  void shouldAddWithWrapAround() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment to = arena.allocate(8, 8);
      Stores.add(to, 0, Long.MAX_VALUE);
      Stores.add(to, 0, 1);
      assertEquals(Long.MIN_VALUE, to.get(ValueLayout.JAVA_LONG, 0));
    }
  }
}
