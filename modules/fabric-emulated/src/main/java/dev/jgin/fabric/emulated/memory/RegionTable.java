// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.emulated.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * The registered memory of all ranks of one world: [region][rank], native, zero-filled.
 *
 * <p>Rows are added during collective registration and never change; lookups are lock-free.
 */
public final class RegionTable {

  /** Regions start at this alignment, so that an offset's granule is an address's granule. */
  public static final long ALIGNMENT = 4096;

  private final int ranks;
  private final Arena arena = Arena.ofShared();
  private volatile MemorySegment[][] rows = new MemorySegment[0][];
  private int openEnds;

  /** A table for {@code ranks} ranks. */
  public RegionTable(int ranks) {
    this.ranks = ranks;
    this.openEnds = ranks;
  }

  /** The memory of {@code rank} behind a region. */
  public MemorySegment segment(int region, int rank) {
    return rows[region][rank];
  }

  /** The memory of all ranks behind a region, indexed by rank. */
  MemorySegment[] row(int region) {
    return rows[region];
  }

  /** Allocates and publishes one rank's part of a region. */
  MemorySegment allocate(int region, int rank, long bytes) {
    // Zeroing large memory takes long: outside the lock, so that ranks do it side by side.
    MemorySegment segment = arena.allocate(bytes, ALIGNMENT);
    synchronized (this) {
      MemorySegment[][] now = rows;
      MemorySegment[][] next = now;
      if (region >= now.length) {
        next = Arrays.copyOf(now, region + 1);
        for (int i = now.length; i <= region; i++) {
          next[i] = new MemorySegment[ranks];
        }
      }
      next[region][rank] = segment;
      rows = next;
    }
    return segment;
  }

  /** One rank has closed; the last one runs {@code before} and frees the memory. */
  public synchronized void release(Runnable before) {
    if (--openEnds == 0) {
      before.run();
      arena.close();
    }
  }
}
