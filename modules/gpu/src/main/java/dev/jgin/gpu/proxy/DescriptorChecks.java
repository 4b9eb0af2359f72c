// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gpu.proxy;

import dev.jgin.gin.Barrier;
import dev.jgin.gin.Window;
import dev.jgin.gin.spi.Region;

/**
 * Whether a descriptor may be acted on: position, operation, lane, windows, bounds, epoch and
 * counts of one ring. What is right passes a few comparisons; what is not is looked at again, word
 * by word, to say which is wrong. One thread at a time; allocates only to throw.
 */
final class DescriptorChecks {
  /** Marks that the next descriptor begins an operation: no epoch is negative. */
  private static final long NONE = -1;

  private final int rank;
  private final int stream;
  private final RingMemory ring;
  private final Barrier[] barriers;

  /** Bytes by window number; -1 where there is none. Offsets below are never negative. */
  private final long[] rows = new long[1 << Byte.SIZE];

  private final long[] cells = new long[1 << Byte.SIZE];
  private final long[] signals = new long[1 << Byte.SIZE];
  private final long lane;
  private long epoch = NONE;
  private long puts;

  /** Checks of one ring; {@code barriers} by operation, for the epochs that come next. */
  DescriptorChecks(
      int rank, int stream, RingMemory ring, ProxyWindows windows, Barrier[] barriers) {
    this.rank = rank;
    this.stream = stream;
    this.ring = ring;
    this.barriers = barriers;
    this.lane = Descriptor.lane(ring.context(), ring.peer());
    for (int index = 0; index < rows.length; index++) {
      Window window = windows.window(index);
      Region region = windows.signals(index);
      rows[index] = window == null ? -1 : window.bytes();
      signals[index] = region == null ? -1 : region.bytes();
      cells[index] = Math.max(rows[index], signals[index]);
    }
  }

  /** Puts since the last ARRIVE. */
  long puts() {
    return puts;
  }

  /** Begins the next operation. */
  void next() {
    epoch = NONE;
    puts = 0;
  }

  /**
   * Checks the descriptor at {@code position}, once.
   *
   * @throws MalformedDescriptorException naming the word that is wrong
   */
  void check(Descriptor d, long position) {
    if (d.position() != position || d.lane() != lane || d.epoch() != epoch) {
      checkFrame(d, position);
    }
    int operation = d.operation();
    if (operation == Descriptor.PUT) {
      checkPut(d, position);
      puts++;
    } else if (operation == Descriptor.PUT_VALUE) {
      checkCell(d, position, cells[d.targetWindow()]);
      require(d.high() <= 1, d, position, Descriptor.HIGH, "one bit is left of the value");
      puts++;
    } else if (operation == Descriptor.SIGNAL) {
      checkCell(d, position, signals[d.targetWindow()]);
    } else if (operation == Descriptor.ARRIVE) {
      checkArrive(d, position);
    } else {
      boolean flush = operation == Descriptor.FLUSH;
      require(flush, d, position, Descriptor.HEAD, "there is no such operation");
    }
  }

  /** All descriptors up to an ARRIVE are of one operation, and that is one that comes next. */
  private void checkFrame(Descriptor d, long position) {
    require(d.position() == position, d, position, Descriptor.POSITION, "it is of another place");
    require(d.lane() == lane, d, position, Descriptor.HEAD, "it is of another lane");
    if (epoch == NONE) {
      boolean comes = d.epoch() == barriers[0].epoch() + 1 || d.epoch() == barriers[1].epoch() + 1;
      require(comes, d, position, Descriptor.EPOCH, "no operation of this epoch comes next");
      epoch = d.epoch();
    }
    require(d.epoch() == epoch, d, position, Descriptor.EPOCH, "the one before has another");
  }

  private void checkPut(Descriptor d, long position) {
    long bytes = d.bytes();
    // Nothing here has its highest bit set, and no sum is formed that could.
    long from = rows[d.sourceWindow()] - bytes;
    long to = rows[d.targetWindow()] - bytes;
    if (from < 0 || to < 0 || d.srcOffset() > from || d.dstOffset() > to) {
      refusePut(d, position);
    }
  }

  private void refusePut(Descriptor d, long position) {
    long src = rows[d.sourceWindow()];
    long dst = rows[d.targetWindow()];
    require(src >= 0, d, position, Descriptor.HEAD, "there is no such source window");
    require(dst >= 0, d, position, Descriptor.HEAD, "there is no such target window");
    boolean fits = d.bytes() <= src && d.bytes() <= dst;
    require(fits, d, position, Descriptor.LENGTH, "that is longer than its windows");
    boolean source = d.srcOffset() <= src - d.bytes();
    require(source, d, position, Descriptor.SRC_OFFSET, "the source leaves its window");
    require(false, d, position, Descriptor.DST_OFFSET, "the target leaves its window");
  }

  private void checkCell(Descriptor d, long position, long bytes) {
    require(bytes >= 0, d, position, Descriptor.HEAD, "there is no such target window");
    boolean cell = d.dstOffset() <= bytes - Long.BYTES && d.dstOffset() % Long.BYTES == 0;
    require(cell, d, position, Descriptor.DST_OFFSET, "no cell of 8 bytes begins there");
  }

  private void checkArrive(Descriptor d, long position) {
    boolean known = d.high() < barriers.length;
    require(known, d, position, Descriptor.HIGH, "there is no such operation");
    boolean comes = d.epoch() == barriers[(int) d.high()].epoch() + 1;
    require(comes, d, position, Descriptor.EPOCH, "that is not the operation's next");
    if (d.value() != puts) {
      require(false, d, position, Descriptor.VALUE, "the ring has brought " + puts + " puts");
    }
  }

  private void require(boolean right, Descriptor d, long position, int word, String why) {
    if (!right) {
      throw malformed(d, position, word, why);
    }
  }

  private MalformedDescriptorException malformed(
      Descriptor d, long position, int word, String why) {
    String what = Descriptor.operationName(d.operation()) + ": " + why;
    return new MalformedDescriptorException(
        rank, stream, ring, position, word, d.words[word], what);
  }
}
