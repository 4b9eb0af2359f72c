// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gpu.proxy;

import dev.jgin.bindings.abi.abi_h;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/**
 * The memory of one ring, as the host sees it: what a {@code jgin_ring} points to.
 *
 * @param context the context of the lane that its descriptors are posted on
 * @param peer the world rank that they go to
 * @param descriptors {@code jgin_descriptor [size]}, size a power of two of at least 2; zero before
 *     the first descriptor
 * @param consumed 8 bytes, zero at first; this side stores how many descriptors it has taken
 */
public record RingMemory(int context, int peer, MemorySegment descriptors, MemorySegment consumed) {

  /** Checks sizes and alignment. */
  public RingMemory {
    long size = descriptors.byteSize() / Descriptor.BYTES;
    if (descriptors.byteSize() % Descriptor.BYTES != 0 || size < 2 || Long.bitCount(size) != 1) {
      throw new IllegalArgumentException(
          name(context, peer)
              + " has "
              + descriptors.byteSize()
              + " bytes of descriptors: it must be "
              + Descriptor.BYTES
              + " times a power of two of at least 2");
    }
    if (consumed.byteSize() < Long.BYTES) {
      throw new IllegalArgumentException(
          name(context, peer)
              + " has "
              + consumed.byteSize()
              + " bytes for its consumed word: it must be 8");
    }
    requireAligned(context, peer, "descriptors", descriptors);
    requireAligned(context, peer, "the consumed word", consumed);
  }

  /**
   * Zeroed memory for a ring of {@code size} descriptors, the consumed word on a line of its own.
   */
  public static RingMemory allocate(int context, int peer, long size, SegmentAllocator memory) {
    long line = abi_h.JGIN_LINE();
    return new RingMemory(
        context,
        peer,
        memory.allocate(Math.multiplyExact(size, Descriptor.BYTES), line).fill((byte) 0),
        memory.allocate(line, line).fill((byte) 0));
  }

  /** Descriptors that it holds. */
  public long size() {
    return descriptors.byteSize() / Descriptor.BYTES;
  }

  /** The ring, for messages. */
  String name() {
    return name(context, peer);
  }

  private static String name(int context, int peer) {
    return "ring (context " + context + ", peer " + peer + ")";
  }

  private static void requireAligned(int context, int peer, String what, MemorySegment segment) {
    // Words are read and written whole: 8-byte accesses must be aligned.
    if (segment.address() % Long.BYTES != 0 || segment.maxByteAlignment() < Long.BYTES) {
      throw new IllegalArgumentException(
          name(context, peer)
              + ": "
              + what
              + " at 0x"
              + Long.toHexString(segment.address())
              + " must be aligned to 8 bytes");
    }
  }
}
