// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.emulated.lane;

import java.lang.foreign.MemorySegment;

/**
 * One rank's registered memory as a lane reaches it, in host memory today and in GPU memory later.
 * A region is named by a number, a place in it by a byte offset; both were checked at posting.
 *
 * <p>Implementations are safe for use by several delivering threads at once.
 */
public interface TargetMemory {

  /** Copies {@code bytes} out of a region. Promises no order against concurrent stores. */
  void load(int region, long offset, MemorySegment to, long toOffset, long bytes);

  /**
   * Copies {@code bytes} into a region, granule by granule ascending; the last 8-byte word of each
   * granule is stored last and with release, so that whoever acquires it sees the rest.
   */
  void store(int region, long offset, MemorySegment from, long fromOffset, long bytes);

  /** Stores the low {@code bytes} (1, 2, 4, 8) of {@code value} with release, little-endian. */
  void storeWord(int region, long offset, long value, int bytes);

  /** Adds to an aligned 64-bit cell, atomically and with release. */
  void add(int region, long offset, long addend);
}
