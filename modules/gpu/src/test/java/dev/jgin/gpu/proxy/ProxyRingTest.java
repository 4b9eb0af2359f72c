// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gpu.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One ring, its words written one by one between two looks of the consumer. */
class ProxyRingTest {
  private static final int LAPS = 5;

  static LongStream sizes() {
    return LongStream.of(2, 4, 8, 16, 32, 64);
  }

  static IntStream words() {
    return IntStream.range(0, Descriptor.WORDS);
  }

  /** Descriptor number {@code position} of these tests: every word says which it is. */
  static long[] content(long position) {
    long[] words = new long[Descriptor.WORDS];
    for (int w = 0; w < words.length; w++) {
      // Never 0: a word of fresh memory must not look right.
      words[w] = position * Descriptor.WORDS + w + 1;
    }
    return words;
  }

  /** Whether what was taken is descriptor {@code position}, whole. */
  static boolean isWhole(ProxyRing ring, long position) {
    long[] expected = content(position);
    for (int w = 0; w < expected.length; w++) {
      if (ring.descriptor.words[w] != expected[w]) {
        return false;
      }
    }
    return true;
  }

  /** A consumer that does not look at the phase of one word. */
  static ProxyRing blindTo(int word, RingMemory memory) {
    return new ProxyRing(memory) {
      @Override
      boolean isOfLap(int index, long value, long phase) {
        return index == word || super.isOfLap(index, value, phase);
      }
    };
  }

  @ParameterizedTest
  @MethodSource("sizes")
  void shouldTakeWholeDescriptorsOnlyAtEveryOffsetOfTheRing(long size) {
    for (long ahead = 0; ahead < size; ahead++) {
      try (Arena arena = Arena.ofConfined()) {
        RingMemory memory = RingMemory.allocate(0, 1, size, arena);
        ProxyRing ring = new ProxyRing(memory);
        RingProducer producer = new RingProducer(memory, 17 * size + ahead);
        // The producer stays `ahead` descriptors in front, so that wraps meet every fill.
        for (long position = 0; position < LAPS * size; position++) {
          while (producer.produced() < position + ahead) {
            assertTrue(producer.begin(content(producer.produced())));
            producer.finish();
          }
          assertTrue(producer.begin(content(producer.produced())));
          if (ahead == 0) {
            for (int w = 0; w < Descriptor.WORDS; w++) {
              assertFalse(ring.take(), "taken with " + w + " of 8 words at " + position);
              producer.writeWord();
            }
          }
          producer.finish();
          assertTrue(ring.take(), "not taken at " + position);
          assertTrue(isWhole(ring, position), "torn at " + position);
          ring.advance();
          ring.publish();
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("words")
  void shouldNeedThePhaseOfEveryWord(int word) {
    try (Arena arena = Arena.ofConfined()) {
      RingMemory memory = RingMemory.allocate(0, 1, 4, arena);
      RingProducer producer = new RingProducer(memory, 1);
      ProxyRing seeing = new ProxyRing(memory);
      ProxyRing blind = blindTo(word, memory);
      for (long position = 0; position < 8; position++) {
        assertTrue(producer.begin(content(position)));
        producer.keepForLast(word);
        for (int w = 1; w < Descriptor.WORDS; w++) {
          producer.writeWord();
        }
        assertFalse(seeing.take(), "one word is missing at " + position);
        assertTrue(blind.take(), "the control sees what it should be blind to");
        assertFalse(isWhole(blind, position), "the control took the right word");
        producer.finish();
        assertTrue(seeing.take() && isWhole(seeing, position), "not taken at " + position);
        seeing.advance();
        blind.advance();
        seeing.publish();
      }
    }
  }

  @Test
  void shouldTakeNothingFromFreshMemoryAndNothingTwice() {
    try (Arena arena = Arena.ofConfined()) {
      RingMemory memory = RingMemory.allocate(0, 1, 2, arena);
      ProxyRing ring = new ProxyRing(memory);
      RingProducer producer = new RingProducer(memory, 1);
      assertFalse(ring.take());
      for (long position = 0; position < 8; position++) {
        assertTrue(producer.begin(content(position)));
        producer.finish();
        assertTrue(ring.take());
        ring.advance();
        assertFalse(ring.take(), "taken again after " + position);
        ring.publish();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("sizes")
  void shouldHoldTheProducerBackUntilSlotsAreTaken(long size) {
    try (Arena arena = Arena.ofConfined()) {
      RingMemory memory = RingMemory.allocate(0, 1, size, arena);
      ProxyRing ring = new ProxyRing(memory);
      RingProducer producer = new RingProducer(memory, 1);
      for (long n = 0; n < size; n++) {
        assertTrue(producer.begin(content(n)));
        producer.finish();
      }
      assertFalse(producer.begin(content(size)));
      assertTrue(ring.take());
      ring.advance();
      assertTrue(producer.isFull(), "a slot was given away before it was published");
      ring.publish();
      assertTrue(producer.begin(content(size)));
      producer.finish();
      assertTrue(producer.isFull());
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 64, 3 * 64, 64 + 8, 100})
  void shouldRefuseSizesThatAreNoPowerOfTwo(long bytes) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment descriptors = arena.allocate(Math.max(bytes, 1), 128).asSlice(0, bytes);
      MemorySegment consumed = arena.allocate(8, 128);
      var thrown =
          assertThrows(
              IllegalArgumentException.class, () -> new RingMemory(0, 1, descriptors, consumed));
      assertEquals(
          "ring (context 0, peer 1) has "
              + bytes
              + " bytes of descriptors: it must be 64 times a power of two of at least 2",
          thrown.getMessage());
    }
  }

  @Test
  void shouldRefuseMemoryThatIsNotAligned() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(256, 128);
      assertThrows(
          IllegalArgumentException.class,
          () -> new RingMemory(0, 1, memory.asSlice(4, 128), memory.asSlice(0, 8)));
      assertThrows(
          IllegalArgumentException.class,
          () -> new RingMemory(0, 1, memory.asSlice(0, 128), memory.asSlice(130, 8)));
      assertThrows(
          IllegalArgumentException.class,
          () -> new RingMemory(0, 1, memory.asSlice(0, 128), memory.asSlice(128, 4)));
    }
  }
}
