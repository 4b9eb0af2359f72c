// SPDX-License-Identifier: Apache-2.0
package dev.jgin.bench;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The yardstick of a pass over rows: the same number of rows of the same size, copied one by one
 * with {@link MemorySegment#copy} from one place to another, both too large for the caches.
 */
final class RowCopies implements AutoCloseable {
  private static final long MOST_BYTES = 256L << 20;

  private final Arena arena = Arena.ofShared();
  private final MemorySegment from;
  private final MemorySegment to;
  private final long rows;
  private final long places;
  private final long bytes;
  private final long stride;

  RowCopies(long rows, long bytes, long stride) {
    this.rows = rows;
    this.bytes = bytes;
    this.stride = stride;
    this.places = Math.clamp(MOST_BYTES / stride, 1, rows);
    this.from = arena.allocate(places * stride, 128);
    this.to = arena.allocate(places * stride, 128);
    from.fill((byte) 1);
    to.fill((byte) 2);
  }

  /** Bytes copied by a {@link #run}. */
  long bytes() {
    return rows * bytes;
  }

  void run() {
    for (long row = 0; row < rows; row++) {
      long at = row % places * stride;
      MemorySegment.copy(from, at, to, at, bytes);
    }
  }

  @Override
  public void close() {
    arena.close();
  }
}
