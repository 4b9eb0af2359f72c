// SPDX-License-Identifier: Apache-2.0
package dev.jgin.bench;

import dev.jgin.bindings.abi.abi_h;
import dev.jgin.bindings.abi.jgin_descriptor;
import dev.jgin.gpu.proxy.RingMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * One ring for each context, full of puts of one size: the first lap of each, as a producer leaves
 * it. A consumer that begins at position 0 finds it full again however often it was drained.
 */
final class FilledRings implements AutoCloseable {
  static final int PEER = 0;

  private final Arena arena = Arena.ofShared();
  private final List<RingMemory> rings = new ArrayList<>();

  /** Puts of {@code bytes} within the first {@code window} bytes of both windows. */
  FilledRings(int contexts, long size, long bytes, long window) {
    for (int context = 0; context < contexts; context++) {
      RingMemory ring = RingMemory.allocate(context, PEER, size, arena);
      for (long position = 0; position < size; position++) {
        fill(ring, position, bytes, position * bytes % window);
      }
      rings.add(ring);
    }
  }

  private static void fill(RingMemory ring, long position, long bytes, long at) {
    long step = abi_h.JGIN_DESCRIPTOR_BYTES();
    MemorySegment to = ring.descriptors().asSlice(position * step, step);
    long phase = 1L << abi_h.JGIN_PHASE_SHIFT();
    long head =
        abi_h.JGIN_PROXY_PUT()
            | (long) abi_h.JGIN_WINDOW_SEND_ROWS() << abi_h.JGIN_DESCRIPTOR_SOURCE_WINDOW_SHIFT()
            | (long) abi_h.JGIN_WINDOW_RECEIVE_ROWS() << abi_h.JGIN_DESCRIPTOR_TARGET_WINDOW_SHIFT()
            | (long) ring.context() << abi_h.JGIN_DESCRIPTOR_CONTEXT_SHIFT()
            | (long) ring.peer() << abi_h.JGIN_DESCRIPTOR_PEER_SHIFT();
    jgin_descriptor.head(to, head | phase);
    jgin_descriptor.src_offset(to, at | phase);
    jgin_descriptor.dst_offset(to, at | phase);
    jgin_descriptor.bytes(to, bytes | phase);
    jgin_descriptor.value(to, phase);
    jgin_descriptor.high(to, phase);
    jgin_descriptor.epoch(to, 1 | phase);
    jgin_descriptor.position(to, position | phase);
  }

  List<RingMemory> rings() {
    return rings;
  }

  /** Descriptors of all rings. */
  long descriptors() {
    return rings.stream().mapToLong(RingMemory::size).sum();
  }

  /** Memory that lives as long. */
  Arena arena() {
    return arena;
  }

  @Override
  public void close() {
    arena.close();
  }
}
