// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gpu.proxy;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** Keeps the calling thread on one processor, where the system can do that (Linux). */
final class CpuAffinity {
  /** Processors that a mask of {@code cpu_set_t} holds. */
  private static final int MOST = 1024;

  private static final long MASK_BYTES = MOST / Byte.SIZE;

  private CpuAffinity() {}

  /**
   * Binds the calling thread to {@code cpu}.
   *
   * @return whether the system did it: not if it has no such processor, the thread may not use it,
   *     or there is no such call
   */
  // int sched_setaffinity(pid_t pid, size_t cpusetsize, const cpu_set_t *mask); pid 0 = this thread
  @SuppressWarnings("restricted")
  static boolean bind(int cpu) {
    Linker linker = Linker.nativeLinker();
    var symbol = linker.defaultLookup().find("sched_setaffinity");
    if (symbol.isEmpty() || cpu < 0 || cpu >= MOST) {
      return false;
    }
    MethodHandle call =
        linker.downcallHandle(
            symbol.get(),
            FunctionDescriptor.of(
                ValueLayout.JAVA_INT,
                ValueLayout.JAVA_INT,
                ValueLayout.JAVA_LONG,
                ValueLayout.ADDRESS));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment mask = arena.allocate(MASK_BYTES, Long.BYTES);
      mask.set(ValueLayout.JAVA_BYTE, cpu / Byte.SIZE, (byte) (1 << cpu % Byte.SIZE));
      return (int) call.invokeExact(0, MASK_BYTES, mask) == 0;
    } catch (Throwable e) {
      throw new IllegalStateException("sched_setaffinity could not be called", e);
    }
  }
}
