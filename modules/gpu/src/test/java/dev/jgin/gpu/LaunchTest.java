// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gpu;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jgin.gpu.stub.NeedsStub;
import dev.jgin.gpu.stub.Stub;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A launch as C sees it: what the driver reads is what was prepared. */
@ExtendWith(NeedsStub.class)
class LaunchTest {
  private static final int ARGUMENT_BYTES = 24;

  private static String launched(LaunchShape shape) {
    try (GpuContext context = Gpu.device(0).open();
        GpuModule module = context.module("kernels", new byte[64]);
        GpuStream stream = context.stream("s");
        Arena arena = Arena.ofConfined()) {
      new PreparedLaunch(module.function("f"), shape, stream, ARGUMENT_BYTES, arena).launch();
      return Stub.launch();
    }
  }

  @Test
  void shouldHandOverTheShape() {
    assertEquals(
        "grid 7 1 1 block 256 1 1 shared 49152", launched(LaunchShape.of(7, 256, 48 * 1024)));
  }

  @Test
  void shouldHandOverTheAttributes() {
    LaunchShape plain = LaunchShape.of(1, 32, 0);
    String head = "grid 1 1 1 block 32 1 1 shared 0";
    assertEquals(head + " attribute 2 = 1", launched(plain.asCooperative()));
    assertEquals(head + " attribute 6 = 1", launched(plain.asDependent()));
    assertEquals(
        head + " attribute 2 = 1 attribute 6 = 1", launched(plain.asCooperative().asDependent()));
  }

  @Test
  void shouldTakeTheArgumentAsItIsWhenLaunched() {
    try (GpuContext context = Gpu.device(0).open();
        GpuModule module = context.module("kernels", new byte[64]);
        GpuStream stream = context.stream("s");
        Arena arena = Arena.ofConfined()) {
      PreparedLaunch launch =
          new PreparedLaunch(
              module.function("f"), LaunchShape.of(1, 1, 0), stream, ARGUMENT_BYTES, arena);
      for (long value = 1; value <= 3; value++) {
        launch.argument().set(ValueLayout.JAVA_LONG, 0, value);
        launch.argument().set(ValueLayout.JAVA_INT, 20, (int) -value);
        launch.launch();
        byte[] expected =
            ByteBuffer.allocate(ARGUMENT_BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(0, value)
                .putInt(20, (int) -value)
                .array();
        assertArrayEquals(expected, Stub.argument(ARGUMENT_BYTES));
      }
      var calls = Stub.calls("cuLaunchKernelEx");
      assertEquals(3, calls.size());
      assertEquals(stream.raw().address(), calls.getLast().words().get(1));
      assertEquals(0, calls.getLast().words().get(2), "extra is NULL");
    }
  }

  @Test
  void shouldSayWhatWasRefused() {
    Stub.fail("cuLaunchKernelEx", 720);
    CudaException e =
        assertThrows(
            CudaException.class, () -> launched(LaunchShape.of(9999, 32, 0).asCooperative()));
    assertEquals(720, e.result());
    assertTrue(e.getMessage().contains("kernel f") && e.getMessage().contains("9999"), e::toString);
    assertTrue(e.getMessage().contains("CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE (720)"), "" + e);
    assertTrue(e.getMessage().contains("a cooperative grid must fit"), e::toString);
  }

  @Test
  void shouldRefuseImpossibleShapes() {
    assertThrows(IllegalArgumentException.class, () -> LaunchShape.of(0, 32, 0));
    assertThrows(IllegalArgumentException.class, () -> LaunchShape.of(1, 0, 0));
    assertThrows(IllegalArgumentException.class, () -> LaunchShape.of(1, 1025, 0));
    assertThrows(IllegalArgumentException.class, () -> LaunchShape.of(1, 32, -1));
    assertThrows(IllegalArgumentException.class, () -> LaunchShape.of(1, 32, 1L << 31));
  }

  @Test
  void shouldRefuseKernelsOfAClosedModule() {
    try (GpuContext context = Gpu.device(0).open();
        GpuStream stream = context.stream("s");
        Arena arena = Arena.ofConfined()) {
      GpuModule module = context.module("kernels", new byte[64]);
      GpuFunction function = module.function("f");
      PreparedLaunch launch =
          new PreparedLaunch(function, LaunchShape.of(1, 1, 0), stream, ARGUMENT_BYTES, arena);
      module.close();
      assertTrue(
          assertThrows(IllegalStateException.class, launch::launch)
              .getMessage()
              .contains("module \"kernels\" is closed"));
      assertEquals(0, Stub.calls("cuLaunchKernelEx").size());
    }
  }
}
