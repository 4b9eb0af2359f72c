// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gpu.proxy;

import dev.jgin.bindings.abi.abi_h;
import dev.jgin.bindings.abi.jgin_descriptor;

/**
 * One {@code jgin_descriptor}, copied out of its ring: eight words without their phase bits. Reused
 * for every descriptor of a ring. What it says is not checked here.
 */
final class Descriptor {
  static final int WORDS = abi_h.JGIN_DESCRIPTOR_WORDS();
  static final long BYTES = abi_h.JGIN_DESCRIPTOR_BYTES();

  /** The bit of each word that says which lap it is of. */
  static final long PHASE = 1L << abi_h.JGIN_PHASE_SHIFT();

  static final int HEAD = index(jgin_descriptor.head$offset());
  static final int SRC_OFFSET = index(jgin_descriptor.src_offset$offset());
  static final int DST_OFFSET = index(jgin_descriptor.dst_offset$offset());
  static final int LENGTH = index(jgin_descriptor.bytes$offset());
  static final int VALUE = index(jgin_descriptor.value$offset());
  static final int HIGH = index(jgin_descriptor.high$offset());
  static final int EPOCH = index(jgin_descriptor.epoch$offset());
  static final int POSITION = index(jgin_descriptor.position$offset());

  static final int PUT = abi_h.JGIN_PROXY_PUT();
  static final int PUT_VALUE = abi_h.JGIN_PROXY_PUT_VALUE();
  static final int SIGNAL = abi_h.JGIN_PROXY_SIGNAL();
  static final int FLUSH = abi_h.JGIN_PROXY_FLUSH();
  static final int ARRIVE = abi_h.JGIN_PROXY_ARRIVE();

  private static final int OPERATION_SHIFT = abi_h.JGIN_DESCRIPTOR_OPERATION_SHIFT();
  private static final int SOURCE_SHIFT = abi_h.JGIN_DESCRIPTOR_SOURCE_WINDOW_SHIFT();
  private static final int TARGET_SHIFT = abi_h.JGIN_DESCRIPTOR_TARGET_WINDOW_SHIFT();
  private static final int CONTEXT_SHIFT = abi_h.JGIN_DESCRIPTOR_CONTEXT_SHIFT();
  private static final int PEER_SHIFT = abi_h.JGIN_DESCRIPTOR_PEER_SHIFT();

  /** Context, peer and what is reserved: everything above the windows. */
  private static final long LANE = -1L << CONTEXT_SHIFT;

  /** The words, for the ring that fills them. */
  final long[] words = new long[WORDS];

  private static int index(long offset) {
    return (int) (offset / Long.BYTES);
  }

  int operation() {
    return (int) (words[HEAD] >>> OPERATION_SHIFT) & 0xFF;
  }

  int sourceWindow() {
    return (int) (words[HEAD] >>> SOURCE_SHIFT) & 0xFF;
  }

  int targetWindow() {
    return (int) (words[HEAD] >>> TARGET_SHIFT) & 0xFF;
  }

  /** The part of the head that is the same in all descriptors of a ring. */
  long lane() {
    return words[HEAD] & LANE;
  }

  /** What {@link #lane} gives for a lane: bits 48..62 are 0. */
  static long lane(int context, int peer) {
    return (long) context << CONTEXT_SHIFT | (long) peer << PEER_SHIFT;
  }

  long srcOffset() {
    return words[SRC_OFFSET];
  }

  long dstOffset() {
    return words[DST_OFFSET];
  }

  long bytes() {
    return words[LENGTH];
  }

  /** PUT_VALUE: all 64 bits of the value, whose highest one travels in a word of its own. */
  long fullValue() {
    return words[VALUE] | words[HIGH] << abi_h.JGIN_PHASE_SHIFT();
  }

  long value() {
    return words[VALUE];
  }

  long high() {
    return words[HIGH];
  }

  long epoch() {
    return words[EPOCH];
  }

  long position() {
    return words[POSITION];
  }

  /** The name of a word, for messages. */
  static String name(int word) {
    return jgin_descriptor.layout().memberLayouts().get(word).name().orElseThrow();
  }

  /** The name of an operation, for messages. */
  static String operationName(int operation) {
    if (operation == PUT) {
      return "PUT";
    } else if (operation == PUT_VALUE) {
      return "PUT_VALUE";
    } else if (operation == SIGNAL) {
      return "SIGNAL";
    } else if (operation == FLUSH) {
      return "FLUSH";
    }
    return operation == ARRIVE ? "ARRIVE" : "operation " + operation;
  }
}
