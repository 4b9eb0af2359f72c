// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.emulated.lane;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** One region of words, for looking at a model without a fabric. */
final class ArrayMemory implements TargetMemory {

  final long[] words;
  private final MemorySegment segment;

  ArrayMemory(int size) {
    words = new long[size];
    segment = MemorySegment.ofArray(words);
  }

  @Override
  public void load(int region, long offset, MemorySegment to, long toOffset, long bytes) {
    MemorySegment.copy(segment, offset, to, toOffset, bytes);
  }

  @Override
  public void store(int region, long offset, MemorySegment from, long fromOffset, long bytes) {
    MemorySegment.copy(from, fromOffset, segment, offset, bytes);
  }

  @Override
  public void storeWord(int region, long offset, long value, int bytes) {
    segment.set(ValueLayout.JAVA_LONG, offset, value);
  }

  @Override
  public void add(int region, long offset, long addend) {
    words[(int) (offset / Long.BYTES)] += addend;
  }
}
