// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jgin.gpu.stub.NeedsStub;
import dev.jgin.gpu.stub.Stub;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Streams, events and graphs: questions that may be answered "not yet", and what goes wrong. */
@ExtendWith(NeedsStub.class)
class StreamTest {

  @Test
  void shouldTellNotYetFromFailed() {
    try (GpuContext context = Gpu.device(0).open();
        GpuStream stream = context.stream("s");
        GpuEvent event = context.event("e", true);
        GpuEvent earlier = context.event("f", true)) {
      assertTrue(stream.isDone() && event.isDone());
      Stub.fail("cuStreamQuery", 600);
      assertFalse(stream.isDone());
      Stub.fail("cuEventQuery", 600);
      assertFalse(event.isDone());
      Stub.fail("cuEventQuery", 719);
      assertEquals(719, assertThrows(CudaException.class, event::isDone).result());
      Stub.fail("cuStreamQuery", 700);
      String message = assertThrows(CudaException.class, stream::isDone).getMessage();
      assertTrue(message.contains("CUDA_ERROR_ILLEGAL_ADDRESS (700)"), message);
      assertTrue(message.contains("compute-sanitizer"), message);
      assertEquals(1.5e6, event.elapsedNanos(earlier));
    }
  }

  @Test
  void shouldOrderStreamsByEvents() {
    try (GpuContext context = Gpu.device(0).open();
        GpuStream first = context.stream("first");
        GpuStream second = context.stream("second");
        GpuEvent event = context.event("e", false)) {
      first.record(event);
      second.await(event);
      var record = Stub.calls("cuEventRecord").getFirst().words();
      var await = Stub.calls("cuStreamWaitEvent").getFirst().words();
      assertEquals(event.raw().address(), record.get(0));
      assertEquals(first.raw().address(), record.get(1));
      assertEquals(second.raw().address(), await.get(0));
      assertEquals(event.raw().address(), await.get(1));
    }
  }

  @Test
  void shouldReplayWhatWasCaptured() {
    try (GpuContext context = Gpu.device(0).open();
        GpuStream stream = context.stream("s");
        GpuGraph graph = stream.capture("g", () -> stream.fill(0, (byte) 0, 0))) {
      stream.launch(graph);
      stream.launch(graph);
      assertEquals(2, Stub.calls("cuGraphLaunch").size());
      assertEquals(graph.raw().address(), Stub.calls("cuGraphLaunch").getFirst().words().get(0));
      assertEquals(1, Stub.calls("cuGraphDestroy").size(), "the captured one is not kept");
    }
    assertEquals(1, Stub.calls("cuGraphExecDestroy").size());
  }

  @Test
  void shouldEndACaptureWhoseWorkFails() {
    try (GpuContext context = Gpu.device(0).open();
        GpuStream stream = context.stream("s")) {
      assertThrows(
          IllegalStateException.class,
          () ->
              stream.capture(
                  "g",
                  () -> {
                    throw new IllegalStateException("of the caller");
                  }));
      assertEquals(1, Stub.calls("cuStreamEndCapture").size());
      assertEquals(1, Stub.calls("cuGraphDestroy").size());
      Stub.fail("cuStreamEndCapture", 901);
      String message =
          assertThrows(CudaException.class, () -> stream.capture("g", () -> {})).getMessage();
      assertTrue(message.startsWith("cuStreamEndCapture of graph \"g\": "), message);
      Stub.fail("cuGraphInstantiate", 2);
      assertThrows(CudaException.class, () -> stream.capture("g", () -> {}));
    }
  }

  @Test
  void shouldAskKernelsForWhatTheyNeed() {
    try (GpuContext context = Gpu.device(0).open();
        GpuModule module = context.module("kernels", new byte[64])) {
      GpuFunction function = module.function("f");
      assertEquals(104, function.registers());
      assertEquals(103, function.localBytes());
      assertEquals(101, function.staticSharedBytes());
      assertEquals(3, function.residentBlocks(256, 49152));
      function.allowDynamicShared(100_000);
      var words = Stub.calls("cuFuncSetAttribute").getFirst().words();
      assertEquals(8, words.get(1));
      assertEquals(100_000, words.get(2));
      String message =
          assertThrows(CudaException.class, () -> module.function("absent")).getMessage();
      assertTrue(
          message.startsWith("cuModuleGetFunction(\"absent\") of module \"kernels\""), message);
    }
  }

  @Test
  void shouldDescribeDevices() {
    assertEquals(3, Gpu.devices().size());
    assertEquals(13000, Gpu.driverVersion());
    GpuDevice device = Gpu.device(1);
    assertEquals("Stub 1", device.name());
    assertEquals("a1".repeat(16), device.uuid());
    assertEquals(132, device.multiprocessors());
    assertEquals(9, device.major());
    assertEquals(1L << 37, device.memoryBytes());
    assertEquals(new GpuDirect(true, true, 100, 1), device.gpuDirect());
    assertTrue(device.canAccess(device) && device.canAccess(Gpu.device(0)));
    assertFalse(device.canAccess(Gpu.device(2)));
    String message = assertThrows(IllegalArgumentException.class, () -> Gpu.device(3)).getMessage();
    assertTrue(message.contains("GPU 3") && message.contains("there are 3"), message);
  }
}
