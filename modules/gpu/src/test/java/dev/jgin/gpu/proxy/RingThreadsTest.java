// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gpu.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jgin.gin.WaitStrategy;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The ring between two threads, each descriptor with a row that it speaks for. */
class RingThreadsTest {
  private static final long PATIENCE_NANOS = 60_000_000_000L;

  /**
   * Asked as in a later round, it lets other threads run: there may be fewer cores than threads.
   */
  private static final WaitStrategy YIELDING = WaitStrategy.backoff();

  private static final long ROW = 64;
  private static final int COUNT = 20_000;

  /** What the consumer found: descriptors with a word of another one, rows of another one. */
  private record Found(long torn, long staleRows) {}

  @ParameterizedTest
  @ValueSource(longs = {2, 4, 64})
  void shouldTakeEveryDescriptorWholeWithItsRow(long size) {
    try (Arena arena = Arena.ofShared()) {
      RingMemory memory = RingMemory.allocate(0, 1, size, arena);
      Found found = run(memory, new ProxyRing(memory), COUNT, false, arena);
      assertEquals(new Found(0, 0), found);
    }
  }

  /** As above, but the consumer has always looked while one word was missing. */
  @Test
  void shouldTakeWholeDescriptorsOfASlowProducer() {
    try (Arena arena = Arena.ofShared()) {
      RingMemory memory = RingMemory.allocate(0, 1, 4, arena);
      Found found = run(memory, new ProxyRing(memory), 2_000, true, arena);
      assertEquals(new Found(0, 0), found);
    }
  }

  @ParameterizedTest
  @MethodSource("dev.jgin.gpu.proxy.ProxyRingTest#words")
  void shouldMeetTornDescriptorsIfItIsBlindToOneWord(int word) {
    try (Arena arena = Arena.ofShared()) {
      RingMemory memory = RingMemory.allocate(0, 1, 4, arena);
      Found found = run(memory, ProxyRingTest.blindTo(word, memory), 200, true, arena);
      assertTrue(found.torn() > 0, found::toString);
    }
  }

  /**
   * @param slow the last word of each descriptor waits until the consumer has looked again
   */
  private static Found run(
      RingMemory memory, ProxyRing ring, int count, boolean slow, Arena arena) {
    MemorySegment rows = arena.allocate(memory.size() * ROW, ROW);
    AtomicLong looks = new AtomicLong();
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Thread producer =
        Thread.ofPlatform()
            .start(() -> {
              try {
                produce(memory, rows, count, slow ? looks : null);
              } catch (Throwable e) {
                failure.set(e);
              }
            });
    long torn = 0;
    long stale = 0;
    long start = System.nanoTime();
    for (long position = 0; position < count; ) {
      boolean taken = ring.take();
      looks.incrementAndGet();
      if (!taken) {
        assertTrue(System.nanoTime() - start < PATIENCE_NANOS, "stuck at " + position);
        assertEquals(null, failure.get());
        YIELDING.idle(100);
        continue;
      }
      torn += ProxyRingTest.isWhole(ring, position) ? 0 : 1;
      for (long at = 0; at < ROW; at += Long.BYTES) {
        long row = position % memory.size() * ROW;
        stale += rows.get(ValueLayout.JAVA_LONG, row + at) == position ? 0 : 1;
      }
      ring.advance();
      ring.publish();
      position++;
    }
    while (producer.isAlive()) {
      // A blind consumer is done before the last word is written: it still has to look.
      looks.incrementAndGet();
      YIELDING.idle(100);
    }
    assertEquals(null, failure.get());
    return new Found(torn, stale);
  }

  private static void produce(RingMemory memory, MemorySegment rows, int count, AtomicLong looks) {
    RingProducer producer = new RingProducer(memory, memory.size());
    long start = System.nanoTime();
    while (producer.produced() < count) {
      long position = producer.produced();
      if (producer.isFull()) {
        assertTrue(System.nanoTime() - start < PATIENCE_NANOS, "full at " + position);
        YIELDING.idle(100);
        continue;
      }
      for (long at = 0; at < ROW; at += Long.BYTES) {
        rows.set(ValueLayout.JAVA_LONG, position % memory.size() * ROW + at, position);
      }
      assertTrue(producer.begin(ProxyRingTest.content(position)));
      for (int w = 1; w < Descriptor.WORDS; w++) {
        producer.writeWord();
      }
      if (looks != null) {
        awaitLooks(looks, start);
      }
      producer.finish();
    }
  }

  private static void awaitLooks(AtomicLong looks, long start) {
    // Two: the first may have begun before the words were written.
    long least = looks.get() + 2;
    while (looks.get() < least) {
      assertTrue(System.nanoTime() - start < PATIENCE_NANOS, "nobody looks");
      YIELDING.idle(100);
    }
  }
}
