// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gpu.proxy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jgin.bindings.abi.abi_h;
import dev.jgin.gin.WaitStrategy;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The header that kernels compile against the consumer that ships: neither side is a twin. */
class CProducerTest {
  private static final long PATIENCE_NANOS = 60_000_000_000L;

  /**
   * Asked as in a later round, it lets other threads run: there may be fewer cores than threads.
   */
  private static final WaitStrategy YIELDING = WaitStrategy.backoff();

  private static final int SEND = abi_h.JGIN_WINDOW_SEND_ROWS();
  private static final int RECEIVE = abi_h.JGIN_WINDOW_RECEIVE_ROWS();
  private static final int SIGNALS = abi_h.JGIN_WINDOW_SIGNALS();
  private static final long MOST = Long.MAX_VALUE;

  @TempDir static Path work;

  private final Arena arena = Arena.ofShared();
  private CRing c;

  @BeforeEach
  void compile() throws IOException {
    c = new CRing(work, arena);
    c.order(0, 1, 2, 3, 4, 5, 6, 7);
  }

  @AfterEach
  void close() {
    arena.close();
  }

  @ParameterizedTest
  @ValueSource(longs = {2, 8, 64})
  void shouldWriteTheWordsThatTheJavaTwinWrites(long size) {
    RingMemory byC = RingMemory.allocate(200, 65_000, size, arena);
    RingMemory byJava = RingMemory.allocate(200, 65_000, size, arena);
    RingProducer java = new RingProducer(byJava, 1);
    SplittableRandom random = new SplittableRandom(size);
    for (long position = 0; position < 3 * size; position++) {
      // Every slot is free again at once.
      byC.consumed().set(ValueLayout.JAVA_LONG, 0, position);
      byJava.consumed().set(ValueLayout.JAVA_LONG, 0, position);
      int operation = 1 + random.nextInt(5);
      long[] f = random.longs(6).map(x -> x & MOST).toArray();
      long head = RingProducer.head(operation, 3, 4, 200, 65_000);
      assertTrue(c.push(byC, position, operation, 3, 4, f[0], f[1], f[2], f[3], f[4], f[5]));
      assertTrue(java.begin(head, f[0], f[1], f[2], f[3], f[4], f[5]));
      java.finish();
      assertEquals(-1, byC.descriptors().mismatch(byJava.descriptors()), "at " + position);
      assertArrayEquals(
          new long[] {operation, 3, 4, 200, 65_000, f[0], f[1], f[2], f[3], f[4], f[5]},
          c.take(byJava, position));
      assertEquals(0, c.take(byJava, position + size).length, "the next lap is not there");
    }
    byC.consumed().set(ValueLayout.JAVA_LONG, 0, 2 * size);
    assertFalse(c.push(byC, 3 * size, 1, 0, 0, 0, 0, 0, 0, 0, 0), "the ring is full");
  }

  @Test
  void shouldDriveTheEngine() {
    try (SelfWorld world = new SelfWorld()) {
      RingMemory ring = world.ring(1);
      world.send.local().set(ValueLayout.JAVA_LONG, 16, 99);
      int put = Descriptor.PUT;
      int value = Descriptor.PUT_VALUE;
      int signal = Descriptor.SIGNAL;
      assertTrue(c.push(ring, 0, put, SEND, RECEIVE, 16, 32, 8, 0, 0, 1));
      assertTrue(c.push(ring, 1, value, 0, RECEIVE, 0, 40, 8, MOST, 1, 1));
      assertTrue(c.push(ring, 2, signal, 0, SIGNALS, 0, 8, 8, 3, 0, 1));
      assertTrue(c.push(ring, 3, Descriptor.FLUSH, 0, 0, 0, 0, 0, 0, 0, 1));
      assertTrue(c.push(ring, 4, Descriptor.ARRIVE, 0, 0, 0, 0, 0, 2, 0, 1));
      assertTrue(c.push(world.ring(0), 0, Descriptor.ARRIVE, 0, 0, 0, 0, 0, 0, 0, 1));
      world.stepUntilIdle();
      world.stream.requireUsable();
      assertEquals(1, world.stream.passed(0));
      assertEquals(99, world.receive.local().get(ValueLayout.JAVA_LONG, 32));
      assertEquals(-1, world.receive.local().get(ValueLayout.JAVA_LONG, 40));
      assertEquals(3, world.signals.local().get(ValueLayout.JAVA_LONG, 8));
    }
  }

  /** From another thread, words in random order, many laps. */
  @ParameterizedTest
  @ValueSource(longs = {2, 16})
  void shouldBeTakenWhole(long size) throws InterruptedException {
    int count = 20_000;
    RingMemory memory = RingMemory.allocate(1, 2, size, arena);
    ProxyRing ring = new ProxyRing(memory);
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Thread producer =
        Thread.ofPlatform()
            .start(() -> {
              try {
                produce(memory, count);
              } catch (Throwable e) {
                failure.set(e);
              }
            });
    long start = System.nanoTime();
    for (long position = 0; position < count; ) {
      if (!ring.take()) {
        assertTrue(System.nanoTime() - start < PATIENCE_NANOS, "stuck at " + position);
        assertEquals(null, failure.get());
        YIELDING.idle(100);
        continue;
      }
      for (int w = Descriptor.SRC_OFFSET; w < Descriptor.POSITION; w++) {
        assertEquals(position * 8 + w, ring.descriptor.words[w]);
      }
      assertEquals(position, ring.descriptor.position());
      ring.advance();
      ring.publish();
      position++;
    }
    producer.join();
    assertEquals(null, failure.get());
  }

  private void produce(RingMemory memory, int count) {
    SplittableRandom random = new SplittableRandom(1);
    int[] order = {0, 1, 2, 3, 4, 5, 6, 7};
    long start = System.nanoTime();
    for (long position = 0; position < count; position++) {
      int i = random.nextInt(8);
      int j = random.nextInt(8);
      int kept = order[i];
      order[i] = order[j];
      order[j] = kept;
      c.order(order);
      long at = position * 8;
      while (!c.push(memory, position, 1, 0, 1, at + 1, at + 2, at + 3, at + 4, at + 5, at + 6)) {
        assertTrue(System.nanoTime() - start < PATIENCE_NANOS, "full at " + position);
        YIELDING.idle(100);
      }
    }
  }
}
