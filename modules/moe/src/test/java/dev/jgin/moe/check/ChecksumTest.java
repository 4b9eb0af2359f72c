// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChecksumTest {
  private static final long SEED = Long.getLong("jgin.seed", 11L);

  private static MemorySegment random(int bytes) {
    byte[] array = new byte[bytes];
    new SplittableRandom(SEED).nextBytes(array);
    return MemorySegment.ofArray(array);
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 16, 24, 32, 40, 96, 200})
  void shouldNoticeEveryFlippedBit(int bytes) {
    MemorySegment row = random(bytes);
    long before = Checksum.of(row, 0, bytes, 0);
    for (int i = 0; i < bytes; i++) {
      byte old = row.get(ValueLayout.JAVA_BYTE, i);
      for (int bit = 0; bit < 8; bit++) {
        row.set(ValueLayout.JAVA_BYTE, i, (byte) (old ^ (1 << bit)));
        assertNotEquals(before, Checksum.of(row, 0, bytes, 0), "byte " + i + " bit " + bit);
      }
      row.set(ValueLayout.JAVA_BYTE, i, old);
    }
    assertEquals(before, Checksum.of(row, 0, bytes, 0));
  }

  @Test
  void shouldNoticeTwoFlippedSigns() {
    // Words of one accumulator: a multiply without rotation would let their top bits cancel.
    MemorySegment row = random(256);
    long before = Checksum.of(row, 0, 256, 0);
    for (int word = 0; word < 28; word++) {
      flipSign(row, word);
      flipSign(row, word + 4);
      assertNotEquals(before, Checksum.of(row, 0, 256, 0), "words " + word + " and 4 on");
      flipSign(row, word);
      flipSign(row, word + 4);
    }
  }

  private static void flipSign(MemorySegment row, int word) {
    byte old = row.get(ValueLayout.JAVA_BYTE, word * 8L + 7);
    row.set(ValueLayout.JAVA_BYTE, word * 8L + 7, (byte) (old ^ 0x80));
  }

  @Test
  void shouldNoticeSwappedLinesAndAnotherSeed() {
    MemorySegment row = random(128);
    MemorySegment swapped = random(128);
    MemorySegment.copy(row, 0, swapped, 64, 64);
    MemorySegment.copy(row, 64, swapped, 0, 64);
    assertNotEquals(Checksum.of(row, 0, 128, 0), Checksum.of(swapped, 0, 128, 0));
    assertNotEquals(Checksum.of(row, 0, 128, 0), Checksum.of(row, 0, 128, 1));
  }
}
