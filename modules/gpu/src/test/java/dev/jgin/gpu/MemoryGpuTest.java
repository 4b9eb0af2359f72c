// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Memory that GPU and CPU, two processes, or GPU and network card share. */
@NeedsGpu
class MemoryGpuTest {
  private static final long TWO_MIB = 2L << 20;

  private final Arena arena = Arena.ofConfined();
  private GpuContext context;

  @BeforeEach
  void open() {
    context = Gpu.device(0).open();
  }

  @AfterEach
  void close() {
    if (context != null) {
      context.close();
    }
    arena.close();
  }

  private static void fill(MemorySegment segment, int factor) {
    for (long i = 0; i < segment.byteSize(); i++) {
      segment.set(ValueLayout.JAVA_BYTE, i, (byte) (i * factor + (i >> 8)));
    }
  }

  @Test
  void shouldDescribeTheGpu() {
    GpuDevice device = Gpu.device(0);
    assertTrue(Gpu.driverVersion() >= Gpu.OLDEST_DRIVER);
    assertTrue(device.multiprocessors() > 0 && device.memoryBytes() > 1L << 30, "" + device);
    assertTrue(device.sharedBytesPerBlock() >= 48 * 1024, "" + device);
    assertTrue(device.canAccess(device));
    System.out.println(device);
  }

  @Test
  void shouldCopyThroughTheDevice() {
    MemorySegment from = arena.allocate(1_000_003);
    fill(from, 31);
    MemorySegment to = arena.allocate(from.byteSize());
    try (DeviceMemory memory = context.allocate("m", from.byteSize() + 5)) {
      memory.write(5, from);
      memory.read(5, to);
    }
    assertEquals(-1, from.mismatch(to));
  }

  @Test
  void shouldSeeHostMemoryOfBothKinds() {
    MemorySegment window = arena.allocate(64 * 1024, DmaBuf.PAGE);
    try (HostMemory pinned = context.allocateHost("pinned", window.byteSize());
        RegisteredMemory registered = context.register("window", window);
        GpuStream stream = context.stream("s")) {
      fill(pinned.segment(), 7);
      stream.copy(registered.address(), pinned.address(), window.byteSize());
      stream.synchronize();
      assertEquals(-1, window.mismatch(pinned.segment()));
      assertThrows(CudaException.class, () -> context.register("again", window));
    }
  }

  @Test
  void shouldRefuseMoreThanThereIs() {
    CudaException e = assertThrows(CudaException.class, () -> context.allocate("huge", 1L << 46));
    assertEquals(2, e.result());
  }

  @Test
  void shouldRefuseToOpenItsOwnMemoryAsAnothersMemory() {
    try (DeviceMemory memory = context.allocate("m", TWO_MIB)) {
      IpcHandle handle = memory.ipcHandle();
      assertTrue(
          assertThrows(CudaException.class, () -> context.openIpc("own", handle))
              .getMessage()
              .contains("another process"));
    }
  }

  @Test
  void shouldShareMemoryWithAnotherProcess() throws IOException, InterruptedException {
    try (DeviceMemory memory = context.allocate("m", TWO_MIB)) {
      memory.fill((byte) 0x21);
      IpcHandle handle = memory.ipcHandle();
      Process process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-XX:+UseSerialGC",
                  "--enable-native-access=ALL-UNNAMED",
                  "-Djava.library.path=" + System.getProperty("java.library.path"),
                  "-cp",
                  System.getProperty("java.class.path"),
                  IpcMain.class.getName(),
                  HexFormat.of().formatHex(handle.bytes()),
                  Long.toString(handle.size()))
              .redirectErrorStream(true)
              .start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertEquals(0, process.waitFor(), said);
      MemorySegment last = arena.allocate(2);
      memory.read(TWO_MIB - 2, last);
      assertEquals(0x21, last.get(ValueLayout.JAVA_BYTE, 0));
      assertEquals(0x42, last.get(ValueLayout.JAVA_BYTE, 1), "not doubled by the other process");
    }
  }

  @Test
  void shouldExportADmaBufWhereOffered() throws IOException {
    try (DeviceMemory memory = context.allocate("m", TWO_MIB)) {
      if (!context.device().gpuDirect().dmaBuf()) {
        assertThrows(UnsupportedOperationException.class, () -> memory.dmaBuf(0, TWO_MIB));
        return;
      }
      Path descriptor;
      try (DmaBuf buffer = memory.dmaBuf(0, TWO_MIB)) {
        descriptor = Path.of("/proc/self/fd/" + buffer.fd());
        assertTrue(Files.readSymbolicLink(descriptor).toString().contains("dmabuf"), "" + buffer);
      }
      assertFalse(Files.exists(descriptor));
    }
  }
}
