// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gpu.proxy;

import dev.jgin.gin.Barrier;
import dev.jgin.gin.Window;
import dev.jgin.gin.spi.Region;

/**
 * Whether a descriptor may be acted on: position, operation, lane, windows, bounds, epoch and
 * counts of one ring. One thread at a time; allocates only to throw.
 */
final class DescriptorChecks {
  private final int rank;
  private final int stream;
  private final RingMemory ring;
  private final ProxyWindows windows;
  private final Barrier[] barriers;
  private long epoch;
  private long puts;
  private boolean begun;

  /** Checks of one ring; {@code barriers} by operation, for the epochs that come next. */
  DescriptorChecks(
      int rank, int stream, RingMemory ring, ProxyWindows windows, Barrier[] barriers) {
    this.rank = rank;
    this.stream = stream;
    this.ring = ring;
    this.windows = windows;
    this.barriers = barriers;
  }

  /** Puts since the last ARRIVE. */
  long puts() {
    return puts;
  }

  /**
   * Checks the descriptor at {@code position}, once.
   *
   * @throws MalformedDescriptorException naming the word that is wrong
   */
  void check(Descriptor d, long position) {
    require(d.position() == position, d, position, Descriptor.POSITION, "this is another position");
    require(d.reserved() == 0, d, position, Descriptor.HEAD, "bits 48..62 must be 0");
    require(
        d.context() == ring.context() && d.peer() == ring.peer(),
        d,
        position,
        Descriptor.HEAD,
        "it names another lane");
    checkEpoch(d, position);
    int operation = d.operation();
    if (operation == Descriptor.PUT) {
      checkPut(d, position);
      puts++;
    } else if (operation == Descriptor.PUT_VALUE) {
      require(d.high() <= 1, d, position, Descriptor.HIGH, "one bit is left of the value");
      checkCell(d, position, bytesOfTarget(d));
      puts++;
    } else if (operation == Descriptor.SIGNAL) {
      Region signals = windows.signals(d.targetWindow());
      checkCell(d, position, signals == null ? -1 : signals.bytes());
    } else if (operation == Descriptor.ARRIVE) {
      checkArrive(d, position);
    } else {
      require(
          operation == Descriptor.FLUSH,
          d,
          position,
          Descriptor.HEAD,
          "there is no such operation");
    }
  }

  /** All descriptors up to an ARRIVE are of one operation, and that is the one that comes next. */
  private void checkEpoch(Descriptor d, long position) {
    if (!begun) {
      epoch = d.epoch();
      require(
          epoch == barriers[0].epoch() + 1 || epoch == barriers[1].epoch() + 1,
          d,
          position,
          Descriptor.EPOCH,
          "no operation of this epoch comes next");
      begun = true;
    }
    require(d.epoch() == epoch, d, position, Descriptor.EPOCH, "the one before has another");
  }

  private void checkPut(Descriptor d, long position) {
    Window src = windows.window(d.sourceWindow());
    Window dst = windows.window(d.targetWindow());
    require(src != null, d, position, Descriptor.HEAD, "there is no such source window");
    require(dst != null, d, position, Descriptor.HEAD, "there is no such target window");
    long bytes = d.bytes();
    // Offsets and lengths have 63 bits, so none is negative; their sum is never formed.
    require(
        bytes <= src.bytes() && bytes <= dst.bytes(),
        d,
        position,
        Descriptor.LENGTH,
        "that is longer than its windows");
    require(
        d.srcOffset() <= src.bytes() - bytes,
        d,
        position,
        Descriptor.SRC_OFFSET,
        "the source leaves its window");
    require(
        d.dstOffset() <= dst.bytes() - bytes,
        d,
        position,
        Descriptor.DST_OFFSET,
        "the target leaves its window");
  }

  private long bytesOfTarget(Descriptor d) {
    Window window = windows.window(d.targetWindow());
    Region signals = windows.signals(d.targetWindow());
    return window != null ? window.bytes() : signals != null ? signals.bytes() : -1;
  }

  private void checkCell(Descriptor d, long position, long bytes) {
    require(bytes >= 0, d, position, Descriptor.HEAD, "there is no such target window");
    require(
        d.dstOffset() <= bytes - Long.BYTES && d.dstOffset() % Long.BYTES == 0,
        d,
        position,
        Descriptor.DST_OFFSET,
        "no cell of 8 bytes begins there");
  }

  private void checkArrive(Descriptor d, long position) {
    require(d.high() < barriers.length, d, position, Descriptor.HIGH, "there is no such operation");
    require(
        d.epoch() == barriers[(int) d.high()].epoch() + 1,
        d,
        position,
        Descriptor.EPOCH,
        "that is not the operation's next");
    if (d.value() != puts) {
      require(false, d, position, Descriptor.VALUE, "the ring has brought " + puts + " puts");
    }
  }

  /** Begins the next operation. */
  void next() {
    begun = false;
    puts = 0;
  }

  private void require(boolean right, Descriptor d, long position, int word, String why) {
    if (!right) {
      String what = Descriptor.operationName(d.operation()) + ": " + why;
      throw new MalformedDescriptorException(
          rank, stream, ring, position, word, d.words[word], what);
    }
  }
}
