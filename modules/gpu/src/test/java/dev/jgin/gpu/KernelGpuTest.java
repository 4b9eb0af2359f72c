// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Kernels run, in the order and shape asked for, on a real GPU. */
@NeedsGpu
class KernelGpuTest {
  private static final int THREADS = 128;
  private static final int BLOCKS = 50;
  private static final long VALUES = (long) THREADS * BLOCKS;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

  private final Arena arena = Arena.ofConfined();
  private GpuContext context;
  private GpuModule module;
  private GpuStream stream;
  private DeviceMemory memory;
  private MemorySegment host;

  @BeforeEach
  void open() {
    context = Gpu.device(0).open();
    module = context.module("test kernels", TestKernels.ptx());
    stream = context.stream("test");
    memory = context.allocate("values", 2 * VALUES * 8);
    memory.fill((byte) 0);
    host = arena.allocate(VALUES * 8, 8);
  }

  @AfterEach
  void close() {
    if (context != null) {
      memory.close();
      stream.close();
      module.close();
      context.close();
    }
    arena.close();
  }

  /** A launch that adds {@code addend} in place. */
  private PreparedLaunch add(String kernel, boolean dependent, long addend) {
    LaunchShape shape = LaunchShape.of(BLOCKS, THREADS, 0);
    PreparedLaunch launch =
        new PreparedLaunch(
            module.function(kernel), dependent ? shape.asDependent() : shape, stream, 24, arena);
    launch.argument().set(LONG, 0, memory.address());
    launch.argument().set(LONG, 8, memory.address());
    launch.argument().set(LONG, 16, addend);
    return launch;
  }

  private void assertAll(long expected) {
    stream.synchronize();
    memory.read(0, host);
    for (long i = 0; i < VALUES; i++) {
      assertEquals(expected, host.getAtIndex(LONG, i), "value " + i);
    }
  }

  @Test
  void shouldRunAKernelWithItsArgument() {
    for (long i = 0; i < VALUES; i++) {
      host.setAtIndex(LONG, i, i * i);
    }
    memory.write(VALUES * 8, host);
    PreparedLaunch launch = add("add", false, 1000);
    launch.argument().set(LONG, 8, memory.address() + VALUES * 8);
    launch.launch();
    stream.synchronize();
    memory.read(0, host);
    for (long i = 0; i < VALUES; i++) {
      assertEquals(i * i + 1000, host.getAtIndex(LONG, i));
    }
  }

  @Test
  void shouldTakeEachLaunchWithTheArgumentOfItsTime() {
    PreparedLaunch launch = add("add", false, 0);
    long sum = 0;
    for (long addend = 1; addend <= 500; addend++) {
      launch.argument().set(LONG, 16, addend);
      launch.launch();
      sum += addend;
    }
    assertAll(sum);
  }

  @Test
  void shouldKeepOrderInAChainOfDependents() {
    PreparedLaunch launch = add("add_dependent", true, 3);
    for (int i = 0; i < 2000; i++) {
      launch.launch();
    }
    assertAll(6000);
  }

  @Test
  void shouldReplayAGraphOfDependents() {
    PreparedLaunch launch = add("add_dependent", true, 5);
    try (GpuGraph graph =
        stream.capture(
            "chain",
            () -> {
              for (int i = 0; i < 10; i++) {
                launch.launch();
              }
            })) {
      assertAll(0);
      for (int i = 0; i < 100; i++) {
        stream.launch(graph);
      }
      assertAll(5000);
    }
  }

  @Test
  void shouldLetAllBlocksOfACooperativeGridMeet() {
    GpuFunction meet = module.function("meet");
    int most = meet.residentBlocks(1, 0) * context.device().multiprocessors();
    PreparedLaunch fits =
        new PreparedLaunch(meet, LaunchShape.of(most, 1, 0).asCooperative(), stream, 24, arena);
    fits.argument().set(LONG, 0, memory.address());
    fits.launch();
    stream.synchronize();
    memory.read(0, host.asSlice(0, 8));
    assertEquals(most, host.get(LONG, 0));
    PreparedLaunch tooMany =
        new PreparedLaunch(meet, LaunchShape.of(most + 1, 1, 0).asCooperative(), stream, 24, arena);
    tooMany.argument().set(LONG, 0, memory.address());
    assertEquals(720, assertThrows(CudaException.class, tooMany::launch).result());
  }

  @Test
  void shouldOrderStreamsAndMeasureTime() {
    try (GpuStream second = context.stream("second");
        GpuEvent begin = context.event("begin", true);
        GpuEvent end = context.event("end", true)) {
      PreparedLaunch launch = add("add", false, 1);
      stream.record(begin);
      for (int i = 0; i < 100; i++) {
        launch.launch();
      }
      stream.record(end);
      second.await(end);
      second.copy(memory.address() + VALUES * 8, memory.address(), VALUES * 8);
      second.synchronize();
      assertTrue(end.isDone() && stream.isDone());
      memory.read(VALUES * 8, host);
      assertEquals(100, host.getAtIndex(LONG, VALUES - 1));
      assertTrue(end.elapsedNanos(begin) > 0);
    }
  }

  @Test
  void shouldAllocateNothing() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    PreparedLaunch launch = add("add_dependent", true, 1);
    try (GpuEvent event = context.event("e", false)) {
      long least = Long.MAX_VALUE;
      for (int round = 0; round < 100; round++) {
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < 200; i++) {
          launch.launch();
          stream.record(event);
          event.isDone();
          stream.isDone();
        }
        least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        stream.synchronize();
      }
      assertEquals(0, least, "bytes of 200 launches");
    }
  }

  @Test
  void shouldExplainKernelsThatAreNotThereOrDoNotCompile() {
    String absent =
        assertThrows(CudaException.class, () -> module.function("subtract")).getMessage();
    assertTrue(absent.contains("subtract") && absent.contains("(500)"), absent);
    byte[] nonsense = "this is no PTX\0".getBytes(java.nio.charset.StandardCharsets.US_ASCII);
    assertThrows(CudaException.class, () -> context.module("nonsense", nonsense));
  }
}
