// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gpu.proxy;

import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.SplittableRandom;

/**
 * The producer of a ring, as a kernel is one, but for its stores: those of a descriptor go out in
 * random order, and as slowly as the test likes. One thread at a time.
 */
final class RingProducer {
  private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();

  private final RingMemory ring;
  private final SplittableRandom random;
  private final int[] order = {0, 1, 2, 3, 4, 5, 6, 7};
  private final long[] words = new long[Descriptor.WORDS];
  private int written = Descriptor.WORDS;
  private long produced;
  private long puts;

  RingProducer(RingMemory ring, long seed) {
    this.ring = ring;
    this.random = new SplittableRandom(seed);
  }

  RingMemory ring() {
    return ring;
  }

  long produced() {
    return produced;
  }

  /** Puts since the last ARRIVE. */
  long puts() {
    return puts;
  }

  boolean isFull() {
    return produced - (long) WORD.getAcquire(ring.consumed(), 0L) == ring.size();
  }

  /** Whether a descriptor has been begun and not all of its words are written. */
  boolean isWriting() {
    return written < Descriptor.WORDS;
  }

  static long head(int operation, int source, int target, int context, int peer) {
    return operation
        | (long) source << 8
        | (long) target << 16
        | (long) context << 24
        | (long) peer << 32;
  }

  private long head(int operation, int source, int target) {
    return head(operation, source, target, ring.context(), ring.peer());
  }

  /** Each begins a descriptor; false if the ring is full. */
  boolean beginPut(int source, long from, int target, long to, long bytes, long epoch) {
    return begin(head(Descriptor.PUT, source, target), from, to, bytes, 0, 0, epoch) && put();
  }

  boolean beginPutValue(int target, long to, long value, long epoch) {
    long low = value & ~Descriptor.PHASE;
    return begin(head(Descriptor.PUT_VALUE, 0, target), 0, to, 8, low, value >>> 63, epoch)
        && put();
  }

  boolean beginSignal(int target, long to, long addend, long epoch) {
    return begin(head(Descriptor.SIGNAL, 0, target), 0, to, 0, addend, 0, epoch);
  }

  boolean beginFlush(long epoch) {
    return begin(head(Descriptor.FLUSH, 0, 0), 0, 0, 0, 0, 0, epoch);
  }

  boolean beginArrive(int operation, long epoch) {
    if (!begin(head(Descriptor.ARRIVE, 0, 0), 0, 0, 0, puts, operation, epoch)) {
      return false;
    }
    puts = 0;
    return true;
  }

  private boolean put() {
    puts++;
    return true;
  }

  /** Begins a descriptor of any content, its words without phase bits. */
  boolean begin(long... content) {
    if (isWriting()) {
      throw new IllegalStateException("the last descriptor is not written");
    }
    if (isFull()) {
      return false;
    }
    System.arraycopy(content, 0, words, 0, content.length);
    if (content.length < Descriptor.WORDS) {
      words[Descriptor.POSITION] = produced;
    }
    for (int i = order.length - 1; i > 0; i--) {
      int j = random.nextInt(i + 1);
      int kept = order[i];
      order[i] = order[j];
      order[j] = kept;
    }
    written = 0;
    // Rows before descriptors: what a kernel does with a fence at system scope.
    VarHandle.releaseFence();
    return true;
  }

  /** Lets this word be the last that is written. */
  void keepForLast(int word) {
    for (int i = 0; i < order.length; i++) {
      if (order[i] == word) {
        order[i] = order[order.length - 1];
        order[order.length - 1] = word;
      }
    }
  }

  /** Writes one more word of the descriptor; false if all are written. */
  boolean writeWord() {
    if (!isWriting()) {
      return false;
    }
    int word = order[written];
    long lap = produced / ring.size();
    long phase = lap % 2 == 0 ? Descriptor.PHASE : 0;
    long at = produced % ring.size() * Descriptor.BYTES + (long) word * Long.BYTES;
    WORD.setOpaque(ring.descriptors(), at, words[word] | phase);
    if (++written == Descriptor.WORDS) {
      produced++;
    }
    return true;
  }

  /** Writes what is left of the descriptor. */
  void finish() {
    while (writeWord()) {
      // One word at a time.
    }
  }
}
