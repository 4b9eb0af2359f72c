// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.jgin.gpu.stub.NeedsStub;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What is called for every layer allocates nothing on the heap. */
@ExtendWith(NeedsStub.class)
class HotPathTest {
  private static final int ROUNDS = 200;
  private static final int CALLS = 1000;

  /** Compilers and start-up allocate in some rounds; what a call allocates comes in all of them. */
  private static long leastBytes(Runnable calls) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long least = Long.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      calls.run();
      least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
    }
    return least;
  }

  private static volatile Object sink;

  @Test
  void shouldNoticeWhatAllocates() {
    assertTrue(leastBytes(() -> sink = new byte[16]) >= 16, "the measure measures nothing");
  }

  @Test
  void shouldAllocateNothing() {
    try (GpuContext context = Gpu.device(0).open();
        GpuModule module = context.module("kernels", new byte[64]);
        GpuStream stream = context.stream("s");
        GpuEvent event = context.event("e", false);
        DeviceMemory memory = context.allocate("m", 4096);
        GpuGraph graph = stream.capture("g", () -> {});
        Arena arena = Arena.ofConfined()) {
      PreparedLaunch launch =
          new PreparedLaunch(
              module.function("f"), LaunchShape.of(1, 32, 0).asDependent(), stream, 64, arena);
      long least =
          leastBytes(() -> {
            for (int i = 0; i < CALLS; i++) {
              launch.argument().set(ValueLayout.JAVA_LONG, 8, i);
              launch.launch();
              stream.record(event);
              stream.await(event);
              stream.copy(memory.address(), memory.address() + 2048, 64);
              stream.fill(memory.address(), (byte) i, 64);
              stream.launch(graph);
              if (!event.isDone() || !stream.isDone()) {
                throw new AssertionError("the stand-in has nothing to wait for");
              }
            }
          });
      assertEquals(0, least, "bytes of " + CALLS + " rounds of calls");
    }
  }
}
