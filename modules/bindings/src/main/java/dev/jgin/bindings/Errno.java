// SPDX-License-Identifier: Apache-2.0
package dev.jgin.bindings;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/**
 * {@code errno} of a native call.
 *
 * <p>Generated methods lose it: between the call and any later look, the JVM may have called the C
 * library for reasons of its own. So a call whose {@code errno} matters goes through a handle that
 * saves it in the same transition:
 *
 * <pre>{@code
 * static final MethodHandle REG_MR =
 *     Errno.capturing(ibv_reg_mr_iova2$address(), ibv_reg_mr_iova2$descriptor());
 * ...
 * MemorySegment state = Errno.allocate(arena);   // one for each thread, or one for each call
 * var mr = (MemorySegment) REG_MR.invokeExact(state, pd, address, bytes, iova, flags);
 * if (mr.address() == 0) throw failure(Errno.describe(Errno.get(state)));
 * }</pre>
 *
 * <p>{@code errno} means something only after a call that failed by its own account. Many verbs
 * ({@code ibv_modify_qp}, {@code post_send}, ...) return the number instead of setting it.
 */
public final class Errno {
  private static final StructLayout STATE = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO =
      STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

  /** {@code char *strerror(int)}. */
  private static final MethodHandle STRERROR = text("strerror");

  /** {@code const char *strerrorname_np(int)}, of glibc 2.32 and newer; otherwise null. */
  private static final MethodHandle STRERRORNAME = text("strerrorname_np");

  private Errno() {}

  /**
   * A handle on the function at {@code address} that takes one more argument, in front: the segment
   * of {@link #allocate} which receives {@code errno}.
   */
  // Address and descriptor come from the same generated class, or the caller has the C prototype.
  @SuppressWarnings("restricted")
  public static MethodHandle capturing(MemorySegment address, FunctionDescriptor descriptor) {
    return Linker.nativeLinker()
        .downcallHandle(address, descriptor, Linker.Option.captureCallState("errno"));
  }

  /** As {@link #capturing}, for function pointers: the address comes first, then the segment. */
  @SuppressWarnings("restricted")
  public static MethodHandle capturing(FunctionDescriptor descriptor) {
    return Linker.nativeLinker()
        .downcallHandle(descriptor, Linker.Option.captureCallState("errno"));
  }

  /** A segment for handles made by {@link #capturing}. One thread at a time may use it. */
  public static MemorySegment allocate(SegmentAllocator allocator) {
    return allocator.allocate(STATE);
  }

  /** The value that the last call left in {@code state}. */
  public static int get(MemorySegment state) {
    return (int) ERRNO.get(state, 0L);
  }

  /** Name, number and the C library's words, e.g. {@code ENOMEM (12): Cannot allocate memory}. */
  public static String describe(int errno) {
    String name = call(STRERRORNAME, errno);
    String words = call(STRERROR, errno);
    return (name.isEmpty() ? "errno " + errno : name + " (" + errno + ")")
        + (words.isEmpty() ? "" : ": " + words);
  }

  private static MethodHandle text(String symbol) {
    return SystemLibrary.find(
        symbol, FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.JAVA_INT));
  }

  private static String call(MethodHandle function, int errno) {
    if (function == null) {
      return "";
    }
    try {
      return SystemLibrary.text((MemorySegment) function.invokeExact(errno));
    } catch (Throwable e) {
      throw new AssertionError("the C library throws nothing", e);
    }
  }
}
