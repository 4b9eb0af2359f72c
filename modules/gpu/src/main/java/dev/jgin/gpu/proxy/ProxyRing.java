// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gpu.proxy;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * The consumer of one ring. It takes a descriptor when all eight words are of its lap, copies it,
 * and later tells the producer how many slots may be overwritten. It believes no word: whoever uses
 * a descriptor checks it first.
 *
 * <p>The order that it keeps, and why, is in the package's description. One thread at a time;
 * allocates nothing.
 */
class ProxyRing {
  private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();

  /** The descriptor that {@link #take} found last. */
  final Descriptor descriptor = new Descriptor();

  private final MemorySegment descriptors;
  private final MemorySegment consumed;
  private final long size;
  private long next;
  private long published;

  ProxyRing(RingMemory memory) {
    this.descriptors = memory.descriptors();
    this.consumed = memory.consumed();
    this.size = memory.size();
  }

  /** The position of the descriptor that {@link #take} looks for: how many have been taken. */
  final long position() {
    return next;
  }

  /**
   * Copies the next descriptor if all of it is here. Non-blocking; looking again gives the same one
   * until {@link #advance}.
   */
  final boolean take() {
    long at = (next & size - 1) * Descriptor.BYTES;
    long phase = (next & size) == 0 ? Descriptor.PHASE : 0;
    long[] words = descriptor.words;
    for (int w = 0; w < Descriptor.WORDS; w++) {
      // Opaque: a plain load may be hoisted out of the caller's loop, or go back to an older lap.
      long word = (long) WORD.getOpaque(descriptors, at + (long) w * Long.BYTES);
      if (!isOfLap(w, word, phase)) {
        return false;
      }
      words[w] = word & ~Descriptor.PHASE;
    }
    // Before anyone reads the rows that the descriptor names: the producer fenced them in front.
    VarHandle.acquireFence();
    return true;
  }

  /** Whether word {@code index} has the phase of the lap that is being read. */
  boolean isOfLap(int index, long word, long phase) {
    return (word ^ phase) >= 0;
  }

  /** The descriptor has been dealt with: look for the one behind it. */
  final void advance() {
    next++;
  }

  /** Tells the producer what was taken, once for many descriptors. */
  final void publish() {
    if (published != next) {
      published = next;
      // Release: the loads above come first, so no slot is overwritten that is still being read.
      WORD.setRelease(consumed, 0L, next);
    }
  }
}
