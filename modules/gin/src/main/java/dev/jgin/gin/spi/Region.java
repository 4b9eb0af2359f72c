// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gin.spi;

import java.lang.foreign.MemorySegment;

/**
 * A symmetric registered region: every rank registered the same number of bytes under the same id,
 * so one handle and an offset name the memory of any peer.
 *
 * <p>Immutable and safe for use by several threads; the memory behind it is not synchronised by the
 * handle.
 *
 * @param id position in this fabric's sequence of registrations, equal on every rank
 * @param name for messages
 * @param kind how accesses are ordered
 * @param memory this rank's own memory
 */
public record Region(int id, String name, RegionKind kind, RegionMemory memory) {

  /** A region of host memory. */
  public Region(int id, String name, RegionKind kind, MemorySegment local) {
    this(id, name, kind, new RegionMemory.Host(local));
  }

  /** Size in bytes, equal on every rank. */
  public long bytes() {
    return memory.bytes();
  }

  /**
   * This rank's own memory, {@link #bytes()} long.
   *
   * @throws IllegalStateException if it is memory of a GPU
   */
  public MemorySegment local() {
    return switch (memory) {
      case RegionMemory.Host(MemorySegment segment) -> segment;
      case RegionMemory.Device device ->
          throw new IllegalStateException(
              "region '"
                  + name
                  + "' is memory of a GPU at 0x"
                  + Long.toHexString(device.address())
                  + ", which the CPU cannot touch: use a kernel or copy it with the CUDA driver");
    };
  }
}
