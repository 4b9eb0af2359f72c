// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.verbs.device;

import dev.jgin.bindings.Errno;
import dev.jgin.bindings.NativeLibrary;
import dev.jgin.bindings.ibverbs.verbs_h;
import dev.jgin.fabric.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** Set-up calls that return a pointer, NULL on failure, with errno saved in the same transition. */
final class Native {

  private static final MethodHandle GET_DEVICE_LIST =
      Errno.capturing(
          verbs_h.ibv_get_device_list$address(), verbs_h.ibv_get_device_list$descriptor());
  private static final MethodHandle OPEN_DEVICE =
      Errno.capturing(verbs_h.ibv_open_device$address(), verbs_h.ibv_open_device$descriptor());
  private static final MethodHandle ALLOC_PD =
      Errno.capturing(verbs_h.ibv_alloc_pd$address(), verbs_h.ibv_alloc_pd$descriptor());
  private static final MethodHandle REG_MR =
      Errno.capturing(verbs_h.ibv_reg_mr_iova2$address(), verbs_h.ibv_reg_mr_iova2$descriptor());
  private static final MethodHandle CREATE_CQ =
      Errno.capturing(verbs_h.ibv_create_cq$address(), verbs_h.ibv_create_cq$descriptor());
  private static final MethodHandle CREATE_QP =
      Errno.capturing(verbs_h.ibv_create_qp$address(), verbs_h.ibv_create_qp$descriptor());

  private static final int ENOSYS = 38;

  /** Apart, because rdma-core before 34 lacks the function. */
  private static final class DmaBuf {
    private static final MethodHandle REG =
        NativeLibrary.VERBS
            .find("ibv_reg_dmabuf_mr")
            .map(at -> Errno.capturing(at, verbs_h.ibv_reg_dmabuf_mr$descriptor()))
            .orElse(null);
  }

  /** What a call gave: a pointer, or NULL and why. */
  record Result(MemorySegment pointer, int errno) {

    boolean failed() {
      return pointer.address() == 0;
    }

    /** The pointer, or an exception that begins with {@code what} and ends with {@code remedy}. */
    MemorySegment orThrow(String what, String remedy) {
      if (failed()) {
        throw new VerbsException(
            what + " failed with " + Errno.describe(errno) + "; " + remedy, errno);
      }
      return pointer;
    }
  }

  @FunctionalInterface
  private interface Call {
    MemorySegment apply(MemorySegment errno) throws Throwable;
  }

  private Native() {}

  private static Result call(Call call) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment errno = Errno.allocate(arena);
      MemorySegment pointer = call.apply(errno);
      return new Result(pointer, pointer.address() == 0 ? Errno.get(errno) : 0);
    } catch (Throwable e) {
      throw new AssertionError("a C function throws nothing", e);
    }
  }

  static Result getDeviceList(MemorySegment count) {
    return call(e -> (MemorySegment) GET_DEVICE_LIST.invokeExact(e, count));
  }

  static Result openDevice(MemorySegment device) {
    return call(e -> (MemorySegment) OPEN_DEVICE.invokeExact(e, device));
  }

  static Result allocPd(MemorySegment context) {
    return call(e -> (MemorySegment) ALLOC_PD.invokeExact(e, context));
  }

  static Result regMr(MemorySegment pd, long address, long bytes, int access) {
    MemorySegment memory = MemorySegment.ofAddress(address);
    return call(e -> (MemorySegment) REG_MR.invokeExact(e, pd, memory, bytes, address, access));
  }

  /**
   * Registers part of a dma-buf as the memory at {@code iova}; ENOSYS where the library is older
   * than the call.
   */
  static Result regDmaBuf(
      MemorySegment pd, long offset, long bytes, long iova, int fd, int access) {
    if (DmaBuf.REG == null) {
      return new Result(MemorySegment.NULL, ENOSYS);
    }
    return call(
        e -> (MemorySegment) DmaBuf.REG.invokeExact(e, pd, offset, bytes, iova, fd, access));
  }

  static Result createCq(MemorySegment context, int entries) {
    MemorySegment none = MemorySegment.NULL;
    return call(e -> (MemorySegment) CREATE_CQ.invokeExact(e, context, entries, none, none, 0));
  }

  static Result createQp(MemorySegment pd, MemorySegment attributes) {
    return call(e -> (MemorySegment) CREATE_QP.invokeExact(e, pd, attributes));
  }

  /** Throws if a call that returns its error number returned one. */
  static void check(int errno, String what, String remedy) {
    if (errno != 0) {
      throw new VerbsException(
          what + " failed with " + Errno.describe(errno) + "; " + remedy, errno);
    }
  }
}
