// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gin;

import dev.jgin.gin.spi.Region;
import java.lang.foreign.MemorySegment;

/**
 * Symmetric memory for payload: every rank has the same number of bytes, and an offset means the
 * same place at every peer. Sizes and offsets are {@code long} bytes.
 *
 * <p>The carrier may order accesses to a window loosely: that rows are here is what a barrier or a
 * signal says, never the window itself.
 */
public final class Window {

  private final Region region;

  Window(Region region) {
    this.region = region;
  }

  /** The name it was registered under. */
  public String name() {
    return region.name();
  }

  /** Size in bytes at each rank. */
  public long bytes() {
    return region.bytes();
  }

  /**
   * This rank's own memory.
   *
   * @throws IllegalStateException if it is memory of a GPU
   */
  public MemorySegment local() {
    return region.local();
  }

  /** The carrier's handle. */
  public Region region() {
    return region;
  }
}
