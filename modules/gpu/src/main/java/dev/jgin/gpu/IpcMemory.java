// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gpu;

import dev.jgin.bindings.cuda.CUipcMemHandle_st;
import dev.jgin.bindings.cuda.cuda_h;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Device memory of another process of this machine, seen from a context here: of the same GPU, or
 * of one that this GPU can reach. What its owner writes is seen here in the order of release and
 * acquire at system scope. Close it before the owner frees it.
 */
public final class IpcMemory extends Owned {
  private static final int LAZY_ENABLE_PEER_ACCESS = 1;

  private final GpuContext context;
  private final long address;
  private final long bytes;

  IpcMemory(GpuContext context, String name, IpcHandle handle) {
    super(
        context.ledger(),
        "memory of another process \"" + name + "\", " + handle.size() + " bytes");
    this.context = context;
    this.bytes = handle.size();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment raw = CUipcMemHandle_st.allocate(arena);
      MemorySegment.copy(handle.bytes(), 0, raw, ValueLayout.JAVA_BYTE, 0, IpcHandle.BYTES);
      MemorySegment pointer = arena.allocate(ValueLayout.JAVA_LONG);
      CudaResult.check(
          cuda_h.cuIpcOpenMemHandle_v2(pointer, raw, LAZY_ENABLE_PEER_ACCESS),
          "cuIpcOpenMemHandle of %s (its owner must be another process, and still have it)",
          this);
      this.address = pointer.get(ValueLayout.JAVA_LONG, 0);
    } catch (RuntimeException e) {
      context.ledger().leave(this);
      throw e;
    }
  }

  /** The handle of memory allocated here. */
  static IpcHandle export(DeviceMemory memory) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment raw = CUipcMemHandle_st.allocate(arena);
      CudaResult.check(
          cuda_h.cuIpcGetMemHandle(raw, memory.address()), "cuIpcGetMemHandle of %s", memory);
      return new IpcHandle(raw.toArray(ValueLayout.JAVA_BYTE), memory.bytes());
    }
  }

  /** Its first address, as kernels here see it: not the one that its owner sees. */
  public long address() {
    requireOpen();
    return address;
  }

  /** Its size. */
  public long bytes() {
    return bytes;
  }

  @Override
  void release() {
    context.makeCurrent();
    CudaResult.check(cuda_h.cuIpcCloseMemHandle(address), "cuIpcCloseMemHandle of %s", this);
  }
}
