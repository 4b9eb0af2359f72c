// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gpu;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jgin.gpu.stub.NeedsStub;
import dev.jgin.gpu.stub.Stub;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Memory of every kind: what the driver is asked for, and what is refused before it is asked. */
@ExtendWith(NeedsStub.class)
class MemoryTest {
  private final Arena arena = Arena.ofConfined();
  private GpuContext context;

  @BeforeEach
  void open() {
    context = Gpu.device(0).open();
  }

  @AfterEach
  void close() {
    context.close();
    arena.close();
  }

  @Test
  void shouldCopyThereAndBack() {
    MemorySegment from = arena.allocate(100);
    for (long i = 0; i < from.byteSize(); i++) {
      from.set(ValueLayout.JAVA_BYTE, i, (byte) (i * 7));
    }
    try (DeviceMemory memory = context.allocate("m", 256)) {
      memory.fill((byte) 0x11);
      memory.write(156, from);
      MemorySegment all = arena.allocate(256);
      memory.read(0, all);
      assertEquals(0x11, all.get(ValueLayout.JAVA_BYTE, 155));
      assertEquals(-1, all.asSlice(156).mismatch(from));
      assertThrows(IndexOutOfBoundsException.class, () -> memory.write(157, from));
      assertThrows(IndexOutOfBoundsException.class, () -> memory.read(-1, from));
    }
  }

  @Test
  void shouldRefuseMemoryOfNoBytes() {
    for (long bytes : new long[] {0, -1}) {
      assertThrows(IllegalArgumentException.class, () -> context.allocate("m", bytes));
      assertThrows(IllegalArgumentException.class, () -> context.allocateHost("h", bytes));
    }
    assertEquals(0, Stub.calls("cuMemAlloc").size());
  }

  @Test
  void shouldGiveHostMemoryZeroedAndMapped() {
    try (HostMemory host = context.allocateHost("h", 100)) {
      assertEquals(-1, host.segment().mismatch(arena.allocate(100)));
      assertEquals(host.segment().address() + (1L << 40), host.address());
      assertEquals(3, Stub.calls("cuMemHostAlloc").getFirst().words().get(1), "portable, mapped");
    }
  }

  @Test
  void shouldRegisterMemoryThatExists() {
    MemorySegment segment = arena.allocate(8192, 4096);
    try (RegisteredMemory registered = context.register("window", segment)) {
      assertEquals(segment.address() + (1L << 40), registered.address());
      var call = Stub.calls("cuMemHostRegister").getFirst();
      assertEquals(segment.address(), call.words().get(0));
      assertEquals(8192, call.words().get(1));
    }
    assertThrows(
        IllegalArgumentException.class,
        () -> context.register("heap", MemorySegment.ofArray(new byte[4096])));
  }

  @Test
  void shouldSayThatPagesAreRegisteredAlready() {
    Stub.fail("cuMemHostRegister", 712);
    String message =
        assertThrows(CudaException.class, () -> context.register("w", arena.allocate(4096)))
            .getMessage();
    assertTrue(
        message.contains("registered memory \"w\"") && message.contains("neighbour"), message);
  }

  @Test
  void shouldNameMemoryToAnotherProcess() {
    try (DeviceMemory memory = context.allocate("rows", 4096)) {
      IpcHandle handle = memory.ipcHandle();
      IpcHandle travelled = new IpcHandle(handle.bytes(), handle.size());
      assertEquals(handle, travelled);
      assertEquals(handle.hashCode(), travelled.hashCode());
      try (IpcMemory seen = context.openIpc("rows of rank 1", travelled)) {
        // All 64 bytes go by value; the stand-in puts the address into them and a mark at the end.
        assertEquals(memory.address(), seen.address());
        assertEquals(4096, seen.bytes());
        var words = Stub.calls("cuIpcOpenMemHandle").getFirst().words();
        assertEquals(1, words.get(1), "lazy peer access");
        assertEquals(0x1C, words.get(2));
      }
    }
    assertThrows(IllegalArgumentException.class, () -> new IpcHandle(new byte[63], 1));
    assertThrows(IllegalArgumentException.class, () -> new IpcHandle(new byte[64], 0));
    assertNotEquals(new IpcHandle(new byte[64], 1), new IpcHandle(new byte[64], 2));
  }

  @Test
  void shouldExportPagesAsDmaBuf() {
    try (DeviceMemory memory = context.allocate("m", 3 * DmaBuf.PAGE)) {
      int fd;
      try (DmaBuf buffer = memory.dmaBuf(DmaBuf.PAGE, 2 * DmaBuf.PAGE)) {
        fd = buffer.fd();
        assertTrue(Files.exists(Path.of("/proc/self/fd/" + fd)));
        assertArrayEquals(
            new long[] {memory.address() + DmaBuf.PAGE, 2 * DmaBuf.PAGE, 1, 0},
            Stub.calls("cuMemGetHandleForAddressRange").getFirst().words().stream()
                .limit(4)
                .mapToLong(Long::longValue)
                .toArray());
      }
      assertFalse(Files.exists(Path.of("/proc/self/fd/" + fd)), "the descriptor is still open");
      assertThrows(IllegalArgumentException.class, () -> memory.dmaBuf(8, DmaBuf.PAGE));
      assertThrows(IllegalArgumentException.class, () -> memory.dmaBuf(0, 100));
      assertThrows(
          IndexOutOfBoundsException.class, () -> memory.dmaBuf(DmaBuf.PAGE, 3 * DmaBuf.PAGE));
      Stub.fail("cuMemGetHandleForAddressRange", 801);
      assertThrows(CudaException.class, () -> memory.dmaBuf(0, DmaBuf.PAGE));
    }
  }

  @Test
  void shouldReachPeersAndNoOthers() {
    try (GpuContext peer = Gpu.device(1).open();
        GpuContext far = Gpu.device(2).open()) {
      context.enablePeer(peer);
      context.enablePeer(context);
      assertEquals(1, Stub.calls("cuCtxEnablePeerAccess").size());
      Stub.fail("cuCtxEnablePeerAccess", 704);
      context.enablePeer(peer);
      Stub.fail("cuCtxEnablePeerAccess", 711);
      assertThrows(CudaException.class, () -> context.enablePeer(peer));
      String message =
          assertThrows(IllegalArgumentException.class, () -> context.enablePeer(far)).getMessage();
      assertTrue(message.startsWith("GPU 0 cannot access memory of GPU 2"), message);
    }
  }
}
