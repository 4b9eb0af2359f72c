// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gpu.proxy;

import dev.jgin.gin.GinException;

/**
 * A descriptor says what it cannot: nothing of it was posted, and its stream takes no more. Either
 * a producer is wrong or somebody wrote over the ring.
 */
public final class MalformedDescriptorException extends GinException {
  private static final long serialVersionUID = 1L;

  private final int rank;
  private final int stream;
  private final int context;
  private final int peer;
  private final long position;
  private final int word;
  private final long value;

  MalformedDescriptorException(
      int rank, int stream, RingMemory ring, long position, int word, long value, String why) {
    super(
        "rank "
            + rank
            + ", stream "
            + stream
            + ", "
            + ring.name()
            + ", descriptor "
            + position
            + ": word "
            + word
            + " ("
            + Descriptor.name(word)
            + ") is 0x"
            + Long.toHexString(value)
            + ": "
            + why
            + "; the producer is wrong or the ring was written over");
    this.rank = rank;
    this.stream = stream;
    this.context = ring.context();
    this.peer = ring.peer();
    this.position = position;
    this.word = word;
    this.value = value;
  }

  /** The rank that reports. */
  public int rank() {
    return rank;
  }

  /** The stream that the ring belongs to. */
  public int stream() {
    return stream;
  }

  /** Context of the ring. */
  public int context() {
    return context;
  }

  /** Peer of the ring. */
  public int peer() {
    return peer;
  }

  /** The descriptor's position in the ring, counted from 0 at set-up. */
  public long position() {
    return position;
  }

  /** Which of its eight words is wrong, from 0. */
  public int word() {
    return word;
  }

  /** What the word holds, without its phase bit. */
  public long value() {
    return value;
  }
}
