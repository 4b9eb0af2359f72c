// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gpu.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jgin.bindings.abi.abi_h;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A descriptor with one thing wrong, behind one that is right. */
class MalformedDescriptorTest {
  private static final long WINDOW = SelfWorld.WINDOW_BYTES;
  private static final long MOST = Long.MAX_VALUE;
  private static final int SEND = abi_h.JGIN_WINDOW_SEND_ROWS();
  private static final int RECEIVE = abi_h.JGIN_WINDOW_RECEIVE_ROWS();
  private static final int SIGNALS = abi_h.JGIN_WINDOW_SIGNALS();

  /** Not registered in these tests. */
  private static final int ABSENT = abi_h.JGIN_WINDOW_SEND_RETURNS();

  /** What is wrong, in which word. Positions are 1, epochs 1, the ring is (context 1, peer 0). */
  record Bad(String what, int word, List<Long> words) {
    @Override
    public String toString() {
      return what;
    }
  }

  private static Bad bad(String what, int word, long... words) {
    return new Bad(what, word, LongStream.of(words).boxed().toList());
  }

  private static long head(int operation, int source, int target) {
    return RingProducer.head(operation, source, target, 1, 0);
  }

  static Stream<Bad> bad() {
    int put = Descriptor.PUT;
    int value = Descriptor.PUT_VALUE;
    int arrive = Descriptor.ARRIVE;
    int signal = Descriptor.SIGNAL;
    long right = head(put, SEND, RECEIVE);
    return Stream.of(
        bad("no operation", Descriptor.HEAD, head(0, SEND, RECEIVE), 0, 0, 8, 0, 0, 1, 1),
        bad("operation 6", Descriptor.HEAD, head(6, SEND, RECEIVE), 0, 0, 8, 0, 0, 1, 1),
        bad("operation 255", Descriptor.HEAD, head(255, SEND, RECEIVE), 0, 0, 8, 0, 0, 1, 1),
        bad("reserved bit 48", Descriptor.HEAD, right | 1L << 48, 0, 0, 8, 0, 0, 1, 1),
        bad("reserved bit 62", Descriptor.HEAD, right | 1L << 62, 0, 0, 8, 0, 0, 1, 1),
        bad("context", Descriptor.HEAD, right ^ 1L << 24, 0, 0, 8, 0, 0, 1, 1),
        bad("context 255", Descriptor.HEAD, right | 255L << 24, 0, 0, 8, 0, 0, 1, 1),
        bad("peer", Descriptor.HEAD, right | 1L << 32, 0, 0, 8, 0, 0, 1, 1),
        bad("peer 65535", Descriptor.HEAD, right | 65535L << 32, 0, 0, 8, 0, 0, 1, 1),
        bad("source absent", Descriptor.HEAD, head(put, ABSENT, RECEIVE), 0, 0, 8, 0, 0, 1, 1),
        bad("target absent", Descriptor.HEAD, head(put, SEND, ABSENT), 0, 0, 8, 0, 0, 1, 1),
        bad("source 255", Descriptor.HEAD, head(put, 255, RECEIVE), 0, 0, 8, 0, 0, 1, 1),
        bad("target 7", Descriptor.HEAD, head(put, SEND, 7), 0, 0, 8, 0, 0, 1, 1),
        bad("put of signals", Descriptor.HEAD, head(put, SIGNALS, RECEIVE), 0, 0, 8, 0, 0, 1, 1),
        bad("put to signals", Descriptor.HEAD, head(put, SEND, SIGNALS), 0, 0, 8, 0, 0, 1, 1),
        bad("bytes", Descriptor.LENGTH, right, 0, 0, WINDOW + 1, 0, 0, 1, 1),
        bad("bytes, most", Descriptor.LENGTH, right, 0, 0, MOST, 0, 0, 1, 1),
        bad("source end", Descriptor.SRC_OFFSET, right, WINDOW - 7, 0, 8, 0, 0, 1, 1),
        bad("source, wrapping", Descriptor.SRC_OFFSET, right, MOST, 0, 8, 0, 0, 1, 1),
        bad("target end", Descriptor.DST_OFFSET, right, 0, WINDOW - 7, 8, 0, 0, 1, 1),
        bad("target, wrapping", Descriptor.DST_OFFSET, right, 0, MOST - 7, 8, 0, 0, 1, 1),
        bad("value absent", Descriptor.HEAD, head(value, 0, ABSENT), 0, 0, 8, 0, 0, 1, 1),
        bad("value end", Descriptor.DST_OFFSET, head(value, 0, RECEIVE), 0, WINDOW, 8, 0, 0, 1, 1),
        bad("value askew", Descriptor.DST_OFFSET, head(value, 0, RECEIVE), 0, 4, 8, 0, 0, 1, 1),
        bad("value, high", Descriptor.HIGH, head(value, 0, RECEIVE), 0, 0, 8, 0, 2, 1, 1),
        bad("signal to rows", Descriptor.HEAD, head(signal, 0, RECEIVE), 0, 0, 8, 1, 0, 1, 1),
        bad("signal end", Descriptor.DST_OFFSET, head(signal, 0, SIGNALS), 0, 64, 8, 1, 0, 1, 1),
        bad("signal askew", Descriptor.DST_OFFSET, head(signal, 0, SIGNALS), 0, 1, 8, 1, 0, 1, 1),
        bad("arrive at 2", Descriptor.HIGH, head(arrive, 0, 0), 0, 0, 0, 1, 2, 1, 1),
        bad("arrive, puts", Descriptor.VALUE, head(arrive, 0, 0), 0, 0, 0, 2, 0, 1, 1),
        bad("epoch behind", Descriptor.EPOCH, right, 0, 0, 8, 0, 0, 0, 1),
        bad("epoch ahead", Descriptor.EPOCH, right, 0, 0, 8, 0, 0, 2, 1),
        bad("arrive, epoch", Descriptor.EPOCH, head(arrive, 0, 0), 0, 0, 0, 1, 0, 2, 1),
        bad("position behind", Descriptor.POSITION, right, 0, 0, 8, 0, 0, 1, 0),
        bad("position ahead", Descriptor.POSITION, right, 0, 0, 8, 0, 0, 1, 5));
  }

  @ParameterizedTest
  @MethodSource("bad")
  void shouldEndTheStreamAndNameTheWord(Bad bad) {
    try (SelfWorld world = new SelfWorld()) {
      RingProducer producer = world.producer(1);
      assertTrue(producer.beginPut(SEND, 0, RECEIVE, 0, 8, 1));
      producer.finish();
      assertTrue(producer.begin(bad.words().stream().mapToLong(Long::longValue).toArray()));
      producer.finish();
      assertTrue(producer.beginPut(SEND, 0, RECEIVE, 8, 8, 1));
      producer.finish();
      world.send.local().set(ValueLayout.JAVA_LONG, 0, 42);
      world.stepUntilIdle();

      assertEquals(ProxyPhase.FAILED, world.stream.phase());
      var seen =
          assertInstanceOf(
              MalformedDescriptorException.class, world.stream.failure().orElseThrow());
      assertEquals(bad.word(), seen.word(), seen.getMessage());
      assertEquals(bad.words().get(bad.word()), seen.value());
      assertEquals(1, seen.position());
      assertEquals(1, seen.context());
      assertEquals(0, seen.peer());
      for (int kind = 0; kind < 2; kind++) {
        ErrorWord word = world.stream.error(kind).orElseThrow();
        assertEquals(abi_h.JGIN_ERROR_PROXY(), word.code());
        assertEquals(0, word.peer());
        assertEquals(1, word.detail());
      }
      assertEquals(42, world.receive.local().get(ValueLayout.JAVA_LONG, 0), "the one before");
      assertEquals(0, world.receive.local().get(ValueLayout.JAVA_LONG, 8), "the one behind");
      assertEquals(1, world.consumed(1), "it was given back to the producer");
      IllegalStateException later =
          assertThrows(IllegalStateException.class, world.stream::requireUsable);
      assertEquals(seen, later.getCause());
    }
  }

  @Test
  void shouldSayWhatIsWrong() {
    try (SelfWorld world = new SelfWorld()) {
      RingProducer producer = world.producer(1);
      assertTrue(producer.beginPut(SEND, 0, RECEIVE, WINDOW, 8, 1));
      producer.finish();
      world.stepUntilIdle();
      assertEquals(
          "rank 0, stream 5, ring (context 1, peer 0), descriptor 0: word 2 (dst_offset) is 0x100:"
              + " PUT: the target leaves its window; the producer is wrong or the ring was written"
              + " over",
          world.stream.failure().orElseThrow().getMessage());
    }
  }

  @Test
  void shouldRefuseEpochsThatDifferWithinAnOperation() {
    try (SelfWorld world = new SelfWorld()) {
      // Dispatch is one epoch ahead of combine, so both 1 and 2 may come.
      world.pass(0, 1);
      RingProducer producer = world.producer(1);
      assertTrue(producer.beginFlush(1));
      producer.finish();
      assertTrue(producer.beginFlush(2));
      producer.finish();
      world.stepUntilIdle();
      var seen =
          assertInstanceOf(
              MalformedDescriptorException.class, world.stream.failure().orElseThrow());
      assertEquals(Descriptor.EPOCH, seen.word());
      assertEquals(2, seen.value());
    }
  }

  @Test
  void shouldRefuseRingsThatArriveAtDifferentOperations() {
    try (SelfWorld world = new SelfWorld()) {
      for (int ring = 0; ring < 2; ring++) {
        assertTrue(world.producer(ring).beginArrive(ring, 1));
        world.producer(ring).finish();
      }
      world.stepUntilIdle();
      assertInstanceOf(MalformedDescriptorException.class, world.stream.failure().orElseThrow());
    }
  }
}
