// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.verbs.device;

import dev.jgin.bindings.Errno;
import dev.jgin.fabric.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/**
 * Waits until every processor has left the soft interrupt that it was in, by {@code membarrier}
 * with {@code MEMBARRIER_CMD_GLOBAL}: a grace period of RCU, some milliseconds. What a driver did
 * in a soft interrupt that began before the call is done after it.
 *
 * <p>That is where rxe receives packets that came through a network interface, up to Linux 6.3.
 * Later ones receive in a work queue, and a device that talks to itself may do it in the sender's
 * system call: neither is awaited on a kernel that preempts itself.
 */
public final class GracePeriod {

  private static final int GLOBAL = 1;
  private static final StructLayout STATE = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO = STATE.varHandle(PathElement.groupElement("errno"));

  /** {@code long syscall(long number, ...)} with the three arguments of {@code membarrier}. */
  private static final MethodHandle SYSCALL = syscall();

  private GracePeriod() {}

  // A function of the C library with the prototype above.
  @SuppressWarnings("restricted")
  private static MethodHandle syscall() {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(
        linker.defaultLookup().findOrThrow("syscall"),
        FunctionDescriptor.of(
            ValueLayout.JAVA_LONG,
            ValueLayout.JAVA_LONG,
            ValueLayout.JAVA_INT,
            ValueLayout.JAVA_INT,
            ValueLayout.JAVA_INT),
        Linker.Option.firstVariadicArg(1),
        Linker.Option.captureCallState("errno"));
  }

  /**
   * Waits.
   *
   * @throws VerbsException if the system does not offer it
   */
  public static void await() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(STATE);
      if (membarrier(state) != 0) {
        int errno = (int) ERRNO.get(state, 0L);
        throw new VerbsException(
            "membarrier failed with "
                + Errno.describe(errno)
                + ", so nothing tells whether a lane of a driver in the kernel is drained: allow that"
                + " system call in the sandbox, boot without nohz_full, or use an adapter",
            errno);
      }
    }
  }

  private static long membarrier(MemorySegment state) {
    // x86-64 has numbers of its own; the other 64-bit architectures share one table.
    long number = System.getProperty("os.arch").equals("amd64") ? 324 : 283;
    try {
      return (long) SYSCALL.invokeExact(state, number, GLOBAL, 0, 0);
    } catch (Throwable e) {
      throw new AssertionError("a C function throws nothing", e);
    }
  }
}
