// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.verbs.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jgin.gin.spi.RegionMemory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The choice and the words. That an adapter takes either way has never been tried. */
class GpuPathTest {

  private static final int EBADF = 9;
  private static final int EINVAL = 22;
  private static final int EOPNOTSUPP = 95;
  private static final Optional<String> NO_MODULE = Optional.empty();
  private static final Optional<String> MODULE = Optional.of("nvidia_peermem");
  private static final RegionMemory.Device BARE =
      new RegionMemory.Device(0x7f00_0000_1000L, 1L << 33, Optional.empty());
  private static final RegionMemory.Device EXPORTED =
      new RegionMemory.Device(
          0x7f00_0000_1000L, 1L << 33, Optional.of(new RegionMemory.DmaBuf(7, 4096)));

  private static GpuPath choose(
      RegionMemory.Device memory, int probeErrno, Optional<String> module) {
    return GpuPath.choose("mlx5_0", "rows", memory, GpuPath.Offer.of(probeErrno, module));
  }

  private static String refusal(RegionMemory.Device memory, int probeErrno) {
    return assertThrows(IllegalStateException.class, () -> choose(memory, probeErrno, NO_MODULE))
        .getMessage();
  }

  @Test
  void shouldPreferADmaBufAndFallBackToTheModule() {
    assertEquals(GpuPath.DMA_BUF, choose(EXPORTED, EBADF, NO_MODULE));
    assertEquals(GpuPath.DMA_BUF, choose(EXPORTED, EBADF, MODULE));
    assertEquals(GpuPath.DMA_BUF, choose(EXPORTED, EINVAL, NO_MODULE));
    assertEquals(GpuPath.PEER_MODULE, choose(EXPORTED, EOPNOTSUPP, MODULE));
    assertEquals(GpuPath.PEER_MODULE, choose(BARE, EBADF, MODULE));
    assertEquals(GpuPath.PEER_MODULE, choose(BARE, EOPNOTSUPP, MODULE));
  }

  @Test
  void shouldTellWhichErrorsMeanThatTheCallIsNotThere() {
    assertEquals(new GpuPath.Offer(0, NO_MODULE), GpuPath.Offer.of(EBADF, NO_MODULE));
    for (int errno : new int[] {38, 93, EOPNOTSUPP}) {
      assertEquals(new GpuPath.Offer(errno, MODULE), GpuPath.Offer.of(errno, MODULE));
    }
  }

  @Test
  void shouldNameWhatIsMissingAndTheRemedy() {
    String noSupport = refusal(EXPORTED, EOPNOTSUPP);
    assertTrue(noSupport.contains("'rows'") && noSupport.contains("'mlx5_0'"), noSupport);
    assertTrue(noSupport.contains("0x7f0000001000, 8589934592 bytes"), noSupport);
    assertTrue(noSupport.contains("EOPNOTSUPP (95)"), noSupport);
    assertTrue(noSupport.endsWith("modprobe nvidia_peermem"), noSupport);
    assertFalse(noSupport.contains("no dma-buf of it was given"), noSupport);
    String noBuffer = refusal(BARE, EBADF);
    assertTrue(noBuffer.contains("no dma-buf of it was given"), noBuffer);
    assertTrue(noBuffer.contains("cuMemGetHandleForAddressRange"), noBuffer);
    assertTrue(noBuffer.endsWith("modprobe nvidia_peermem, or give a dma-buf"), noBuffer);
    assertFalse(noBuffer.contains("takes no dma-buf"), noBuffer);
    String neither = refusal(BARE, EOPNOTSUPP);
    assertTrue(neither.contains("takes no dma-buf"), neither);
    assertTrue(neither.contains("no dma-buf of it was given"), neither);
  }

  @Test
  void shouldFindAModuleThatIsLoaded(@TempDir Path modules) throws IOException {
    assertEquals(NO_MODULE, GpuPath.loadedModule(modules));
    Files.createDirectory(modules.resolve("nvidia"));
    assertEquals(NO_MODULE, GpuPath.loadedModule(modules));
    Files.createDirectory(modules.resolve("nv_peer_mem"));
    assertEquals(Optional.of("nv_peer_mem"), GpuPath.loadedModule(modules));
    Files.createDirectory(modules.resolve("nvidia_peermem"));
    assertEquals(MODULE, GpuPath.loadedModule(modules));
    assertEquals(NO_MODULE, GpuPath.loadedModule(modules.resolve("no-sysfs")));
  }

  @Test
  void shouldSayWhatToLookAtWhereARegistrationFails() {
    GpuPath.Offer offer = GpuPath.Offer.of(EBADF, MODULE);
    String dmaBuf = MemoryRegion.gpuRemedy(GpuPath.DMA_BUF, EXPORTED, offer, "65536 bytes");
    assertTrue(dmaBuf.contains("DmaBuf[fd=7, offset=4096]") && dmaBuf.contains("BAR1"), dmaBuf);
    String module = MemoryRegion.gpuRemedy(GpuPath.PEER_MODULE, BARE, offer, "65536 bytes");
    assertTrue(module.contains("nvidia_peermem"), module);
    assertTrue(module.contains("RLIMIT_MEMLOCK is 65536 bytes"), module);
  }
}
