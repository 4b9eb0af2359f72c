// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gpu;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;

/** The other process: doubles the last byte of memory that was named to it. */
final class IpcMain {
  private IpcMain() {}

  /** Arguments: the handle in hexadecimal digits, and the size. */
  public static void main(String[] args) {
    IpcHandle handle = new IpcHandle(HexFormat.of().parseHex(args[0]), Long.parseLong(args[1]));
    try (GpuContext context = Gpu.device(0).open();
        IpcMemory memory = context.openIpc("of the parent", handle);
        HostMemory host = context.allocateHost("byte", 1);
        GpuStream stream = context.stream("s");
        Arena arena = Arena.ofConfined()) {
      stream.copy(host.address(), memory.address() + memory.bytes() - 1, 1);
      stream.synchronize();
      MemorySegment seen = arena.allocate(1).copyFrom(host.segment());
      byte twice = (byte) (2 * seen.get(ValueLayout.JAVA_BYTE, 0));
      stream.fill(memory.address() + memory.bytes() - 1, twice, 1);
      stream.synchronize();
    }
  }
}
