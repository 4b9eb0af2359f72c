// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gpu;

import dev.jgin.bindings.cuda.cuda_h;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * A range of device memory as a dma-buf: a file descriptor that another driver, a network card's
 * for one, imports to reach the memory. Source: {@code cuMemGetHandleForAddressRange} of cuda.h.
 *
 * <p>Closing it closes the descriptor here; what has been imported stays valid. The memory must
 * outlive every import, and nothing here keeps it.
 */
public final class DmaBuf extends Owned {
  /** Ranges begin and end at multiples of this: pages of the host. */
  public static final long PAGE = 4096;

  private static final MethodHandle CLOSE = closeOfLibc();

  private final int fd;
  private final long bytes;

  DmaBuf(GpuContext context, DeviceMemory memory, long offset, long bytes) {
    super(context.ledger(), "dma-buf of " + bytes + " bytes at " + offset + " of " + memory);
    this.bytes = bytes;
    try (Arena arena = Arena.ofConfined()) {
      require(context.device(), memory, offset, bytes);
      MemorySegment handle = arena.allocate(ValueLayout.JAVA_INT);
      CudaResult.check(
          cuda_h.cuMemGetHandleForAddressRange(
              handle,
              memory.address() + offset,
              bytes,
              cuda_h.CU_MEM_RANGE_HANDLE_TYPE_DMA_BUF_FD(),
              0),
          "cuMemGetHandleForAddressRange of %s",
          this);
      this.fd = handle.get(ValueLayout.JAVA_INT, 0);
    } catch (RuntimeException e) {
      context.ledger().leave(this);
      throw e;
    }
  }

  private static void require(GpuDevice device, DeviceMemory memory, long offset, long bytes) {
    if (!device.gpuDirect().dmaBuf()) {
      throw new UnsupportedOperationException(
          "GPU "
              + device.ordinal()
              + " exports no dma-buf (DMA_BUF_SUPPORTED is 0): it needs the open kernel modules of"
              + " the driver and a kernel with dma-buf; nvidia-peermem is the other way");
    }
    if (offset < 0 || bytes <= 0 || offset > memory.bytes() - bytes) {
      throw new IndexOutOfBoundsException(
          "[" + offset + ", " + (offset + bytes) + ") is not within " + memory);
    }
    if ((memory.address() + offset) % PAGE != 0 || bytes % PAGE != 0) {
      throw new IllegalArgumentException(
          "%d bytes at address 0x%x: a dma-buf begins and ends at multiples of %d; allocations of 2 MiB and more do"
              .formatted(bytes, memory.address() + offset, PAGE));
    }
  }

  // The C prototype is int close(int).
  @SuppressWarnings("restricted")
  private static MethodHandle closeOfLibc() {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(
        linker.defaultLookup().findOrThrow("close"),
        FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
  }

  /** The file descriptor, of this process; whoever is given it does not close it. */
  public int fd() {
    requireOpen();
    return fd;
  }

  /** Its size. */
  public long bytes() {
    return bytes;
  }

  @Override
  void release() {
    int result;
    try {
      result = (int) CLOSE.invokeExact(fd);
    } catch (Throwable e) {
      throw new AssertionError("close throws nothing", e);
    }
    if (result != 0) {
      throw new IllegalStateException("descriptor " + fd + " of " + this + " was not open");
    }
  }
}
