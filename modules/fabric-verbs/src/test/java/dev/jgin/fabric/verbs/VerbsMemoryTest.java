// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jgin.gin.Communicator;
import dev.jgin.gin.spi.Region;
import dev.jgin.gin.spi.RegionKind;
import dev.jgin.gin.spi.RegionMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Regions of memory that the caller brings. */
@ExtendWith(NeedsDevice.class)
class VerbsMemoryTest {

  private static final long GPU = 0x7f12_0000_0000L;

  @Test
  void shouldMoveRowsBetweenMemoryOfTheCaller() {
    try (Arena arena = Arena.ofShared();
        Ranks ranks = Ranks.open(NeedsDevice.fabric(), 2, 1)) {
      List<MemorySegment> mine = List.of(arena.allocate(8192, 4096), arena.allocate(8192, 4096));
      mine.get(0).set(ValueLayout.JAVA_LONG, 4096, 0x0102_0304L);
      List<Region> regions =
          ranks.world.onEachRank(c ->
              c.fabric()
                  .register("rows", new RegionMemory.Host(mine.get(c.rank())), RegionKind.DATA));
      Region here = regions.get(0);
      ranks.send(0, 0, 1, () -> ranks.fabric(0).write(0, 1, here, 4096, here, 64, 8));
      ranks.await("the row", () -> mine.get(1).get(ValueLayout.JAVA_LONG, 64) == 0x0102_0304L);
      assertThrows(
          IndexOutOfBoundsException.class,
          () -> ranks.fabric(0).write(0, 1, here, 8185, here, 64, 8));
    }
  }

  /** On a device that takes none, such as rxe: for an adapter nobody has written the other test. */
  @Test
  void shouldSayWhyMemoryOfAGpuCannotBeRegisteredAndGoOn() {
    try (Ranks ranks = Ranks.open(NeedsDevice.fabric(), 2, 1)) {
      assumeTrue(
          ranks.fabric(0).axioms().granuleBytes() == 8 && !Files.exists(Path.of("/dev/nvidia0")),
          "about a machine with a software device and without a GPU");
      RegionMemory.Device exported =
          new RegionMemory.Device(GPU, 1 << 20, Optional.of(new RegionMemory.DmaBuf(0, 0)));
      String refused = refusal(ranks, exported);
      assertTrue(refused.contains("EOPNOTSUPP (95)"), refused);
      assertTrue(refused.contains("0x7f1200000000, 1048576 bytes"), refused);
      assertTrue(refused.contains("modprobe nvidia_peermem"), refused);
      RegionMemory.Device bare = new RegionMemory.Device(GPU, 1 << 20, Optional.empty());
      String missing = refusal(ranks, bare);
      assertTrue(missing.contains("cuMemGetHandleForAddressRange"), missing);
      assertEquals(4096, ranks.register("less", 4096, RegionKind.DATA).getFirst().bytes());
    }
  }

  private static String refusal(Ranks ranks, RegionMemory memory) {
    return assertThrows(
            IllegalStateException.class,
            () -> ranks.world.onEachRank((Communicator c) -> c.registerWindow("rows", memory)))
        .getMessage();
  }
}
