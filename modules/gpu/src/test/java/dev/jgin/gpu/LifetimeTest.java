// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gpu;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jgin.gpu.stub.NeedsStub;
import dev.jgin.gpu.stub.Stub;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Who makes, closes: once, in any order, and what is left is named. */
@ExtendWith(NeedsStub.class)
class LifetimeTest {
  private static final Arena ARENA = Arena.ofAuto();

  /** Every kind of object, by the call of the driver that gives it back. */
  private static final Map<String, Function<GpuContext, Owned>> KINDS =
      Map.of(
          "cuMemFree", context -> context.allocate("x", 4096),
          "cuMemFreeHost", context -> context.allocateHost("x", 4096),
          "cuMemHostUnregister", context -> context.register("x", ARENA.allocate(4096)),
          "cuStreamDestroy", context -> context.stream("x"),
          "cuEventDestroy", context -> context.event("x", true),
          "cuModuleUnload", context -> context.module("x", new byte[64]),
          "cuIpcCloseMemHandle", context -> context.openIpc("x", new IpcHandle(new byte[64], 16)));

  /** The calls that make them. */
  private static final Map<String, String> MAKING =
      Map.of(
          "cuMemFree", "cuMemAlloc",
          "cuMemFreeHost", "cuMemHostAlloc",
          "cuMemHostUnregister", "cuMemHostRegister",
          "cuStreamDestroy", "cuStreamCreate",
          "cuEventDestroy", "cuEventCreate",
          "cuModuleUnload", "cuModuleLoadData",
          "cuIpcCloseMemHandle", "cuIpcOpenMemHandle");

  static List<String> kinds() {
    return KINDS.keySet().stream().sorted().toList();
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void shouldGiveBackOnceHoweverOftenClosed(String kind) {
    try (GpuContext context = Gpu.device(0).open()) {
      Owned owned = KINDS.get(kind).apply(context);
      assertTrue(owned.isOpen());
      owned.close();
      owned.close();
      assertFalse(owned.isOpen());
      assertEquals(1, Stub.calls(kind).size());
    }
    assertEquals(1, Stub.calls(kind).size());
    assertEquals(1, Stub.calls("cuDevicePrimaryCtxRelease").size());
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void shouldNameAndCloseWhatWasLeft(String kind) {
    GpuContext context = Gpu.device(0).open();
    Owned owned = KINDS.get(kind).apply(context);
    String message = assertThrows(IllegalStateException.class, context::close).getMessage();
    assertTrue(message.contains("1 left open: " + owned), message);
    assertTrue(message.contains("-Djgin.gpu.leaks=true"), message);
    assertEquals(1, Stub.calls(kind).size());
    assertDoesNotThrow(owned::close);
    assertDoesNotThrow(context::close);
    assertEquals(1, Stub.calls("cuDevicePrimaryCtxRelease").size());
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void shouldLeaveNothingBehindWhenMakingFails(String kind) {
    try (GpuContext context = Gpu.device(0).open()) {
      Stub.fail(MAKING.get(kind), 2);
      CudaException e = assertThrows(CudaException.class, () -> KINDS.get(kind).apply(context));
      assertTrue(e.getMessage().startsWith(MAKING.get(kind)), e::toString);
      assertTrue(e.getMessage().contains("CUDA_ERROR_OUT_OF_MEMORY (2)"), e::toString);
      assertEquals(2, e.result());
    }
    assertEquals(List.of(), Stub.calls(kind));
  }

  @Test
  void shouldTellWhereItWasMadeInDebugMode() {
    Ledger ledger = new Ledger(true);
    Owned owned =
        new Owned(ledger, "a thing") {
          @Override
          void release() {}
        };
    String left = ledger.closeRest();
    assertTrue(left.contains("a thing made at "), left);
    assertFalse(owned.isOpen());
  }

  @Test
  void shouldCloseTheRestWhenOneCannotBeClosed() {
    GpuContext context = Gpu.device(0).open();
    context.stream("one");
    context.stream("two");
    Stub.fail("cuStreamDestroy", 700);
    String message = assertThrows(IllegalStateException.class, context::close).getMessage();
    assertTrue(message.contains("2 left open") && message.contains("(700)"), message);
    assertEquals(2, Stub.calls("cuStreamDestroy").size());
    assertEquals(1, Stub.calls("cuDevicePrimaryCtxRelease").size());
  }

  @Test
  void shouldRefuseUseAfterClose() {
    try (GpuContext context = Gpu.device(0).open()) {
      GpuStream stream = context.stream("s");
      GpuEvent event = context.event("e", true);
      DeviceMemory memory = context.allocate("m", 16);
      HostMemory host = context.allocateHost("h", 16);
      RegisteredMemory registered = context.register("r", ARENA.allocate(16));
      for (Owned owned : List.of(stream, event, memory, host, registered)) {
        owned.close();
      }
      String closed = " is closed";
      for (var use :
          List.<Runnable>of(
              stream::isDone,
              stream::synchronize,
              event::isDone,
              event::synchronize,
              memory::address,
              host::segment,
              host::address,
              registered::address)) {
        String message = assertThrows(IllegalStateException.class, use::run).getMessage();
        assertTrue(message.endsWith(closed), message);
      }
    }
  }

  @Test
  void shouldRefuseAClosedContext() {
    GpuContext context = Gpu.device(1).open();
    context.close();
    String message =
        assertThrows(IllegalStateException.class, () -> context.stream("s")).getMessage();
    assertEquals("the context of GPU 1 is closed", message);
  }
}
