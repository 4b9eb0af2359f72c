// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gin.spi;

import java.lang.foreign.MemorySegment;
import java.util.Optional;

/** The memory of one rank behind a region: where it lies decides how a carrier registers it. */
public sealed interface RegionMemory {

  /** Size in bytes. */
  long bytes();

  /**
   * Memory of the host.
   *
   * @param segment native memory, open at least as long as the region
   */
  record Host(MemorySegment segment) implements RegionMemory {

    public Host {
      if (!segment.isNative()) {
        throw new IllegalArgumentException(
            "a region of heap memory, which the collector moves: use a native segment");
      }
    }

    @Override
    public long bytes() {
      return segment.byteSize();
    }
  }

  /**
   * Memory of a GPU, which the CPU cannot read or write. It belongs to the caller, who frees it
   * after the fabric is closed.
   *
   * @param address device address, as the CUDA driver gave it
   * @param bytes size, more than 0
   * @param dmaBuf the same memory as the kernel hands it from driver to driver; empty where the
   *     GPU's driver does not export it
   */
  record Device(long address, long bytes, Optional<DmaBuf> dmaBuf) implements RegionMemory {

    public Device {
      if (address <= 0 || bytes <= 0 || address > Long.MAX_VALUE - bytes) {
        throw new IllegalArgumentException(
            "memory of a GPU at 0x"
                + Long.toHexString(address)
                + " of "
                + bytes
                + " bytes: give an address above 0 and a size that fits behind it");
      }
    }
  }

  /**
   * An open dma-buf. The file descriptor stays the caller's, who may close it once the region is
   * registered.
   *
   * <p>{@code cuMemGetHandleForAddressRange} exports whole pages of the host alone (address and
   * size multiples of 4096; CUDA_ERROR_INVALID_VALUE otherwise, seen on an H200, driver 580), and
   * small allocations share pages: give a region pages of its own, or peers can reach its
   * neighbours.
   *
   * @param fd file descriptor, not negative
   * @param offset where in the dma-buf the memory begins, in bytes, not negative; it and the
   *     address must lie equally far behind the beginning of a page
   */
  record DmaBuf(int fd, long offset) {

    public DmaBuf {
      if (fd < 0 || offset < 0) {
        throw new IllegalArgumentException(
            "dma-buf with file descriptor "
                + fd
                + " and offset "
                + offset
                + ": neither may be negative");
      }
    }
  }
}
