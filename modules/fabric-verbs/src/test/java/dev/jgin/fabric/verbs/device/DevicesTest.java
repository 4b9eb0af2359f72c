// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.verbs.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jgin.bindings.NativeLibrary;
import dev.jgin.bindings.ibverbs.verbs_h;
import dev.jgin.gin.spi.LaneStatus;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class DevicesTest {

  @Test
  void shouldSayWhyThereIsNoDeviceAndWhatToDo() {
    assumeTrue(NativeLibrary.VERBS.isAvailable());
    assumeFalse(Files.exists(Path.of("/sys/class/infiniband")), "this kernel has RDMA");
    String cause = Devices.unavailabilityCause().orElseThrow();
    assertTrue(cause.contains("ENOSYS (38)"), cause);
    assertTrue(cause.contains("mlx5_ib") && cause.contains("rdma_rxe"), cause);
  }

  @Test
  void shouldNameAddressSizeFlagsErrnoAndLimitOfAFailedRegistration() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(8192, 4096);
      String why =
          MemoryRegion.failure("rxe0", "rows", memory.address(), 8192, 0xf, 12)
              + MemoryRegion.hostRemedy(12, "65536 bytes");
      assertTrue(why.contains("'rows'") && why.contains("'rxe0'"), why);
      assertTrue(why.contains("0x" + Long.toHexString(memory.address())), why);
      assertTrue(why.contains("8192 bytes") && why.contains("flags 0xf"), why);
      assertTrue(why.contains("ENOMEM (12)") && why.contains("RLIMIT_MEMLOCK is 65536"), why);
      assertTrue(why.contains("ulimit -l"), why);
    }
  }

  @Test
  void shouldReadTheLimitOfLockedMemory() {
    String header = "Limit                     Soft Limit           Hard Limit           Units";
    assertEquals(
        "8388608 bytes",
        MemoryLock.parse(
            List.of(header, "Max locked memory         8388608              8388608       bytes")));
    assertEquals(
        "unlimited",
        MemoryLock.parse(List.of("Max locked memory         unlimited   unlimited    bytes")));
    assertEquals("unknown", MemoryLock.parse(List.of(header)));
    assertTrue(MemoryLock.limit().matches("unlimited|\\d+ bytes"), MemoryLock.limit());
  }

  @Test
  void shouldCountMtus() {
    for (int bytes = 256; bytes <= 4096; bytes *= 2) {
      assertEquals(bytes, Mtu.bytes(Mtu.code(bytes)));
      assertEquals(bytes, 1 << Mtu.shift(bytes));
    }
    assertThrows(IllegalArgumentException.class, () -> Mtu.code(1500));
    assertThrows(IllegalArgumentException.class, () -> Mtu.code(8192));
    assertThrows(IllegalArgumentException.class, () -> Mtu.bytes(0));
  }

  @Test
  void shouldAgreeWithTheHeaderOnStatusCodes() {
    assumeTrue(NativeLibrary.VERBS.isAvailable());
    assertEquals(verbs_h.IBV_WC_WR_FLUSH_ERR(), WcStatus.WR_FLUSH_ERR.code());
    assertEquals(verbs_h.IBV_WC_RETRY_EXC_ERR(), WcStatus.RETRY_EXC_ERR.code());
    assertEquals(verbs_h.IBV_WC_REM_ACCESS_ERR(), WcStatus.REM_ACCESS_ERR.code());
    assertEquals(verbs_h.IBV_WC_LOC_PROT_ERR(), WcStatus.LOC_PROT_ERR.code());
    assertEquals(verbs_h.IBV_WC_FATAL_ERR(), WcStatus.FATAL_ERR.code());
    assertEquals(verbs_h.IBV_WC_GENERAL_ERR(), WcStatus.GENERAL_ERR.code());
    for (WcStatus status : WcStatus.values()) {
      assertEquals(status, WcStatus.of(status.code()));
    }
    assertEquals(WcStatus.GENERAL_ERR, WcStatus.of(99));
    assertEquals(LaneStatus.RETRY_EXCEEDED, WcStatus.of(12).lane());
    assertEquals("IBV_WC_RETRY_EXC_ERR", WcStatus.of(12).header());
  }
}
