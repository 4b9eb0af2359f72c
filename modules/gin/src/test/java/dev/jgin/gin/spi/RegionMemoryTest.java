// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gin.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RegionMemoryTest {

  private static final long ADDRESS = 0x7f00_0000_0000L;

  @Test
  void shouldHandOutMemoryOfTheHost() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment segment = arena.allocate(64);
      Region region = new Region(0, "rows", RegionKind.DATA, segment);
      assertSame(segment, region.local());
      assertEquals(64, region.bytes());
    }
  }

  @Test
  void shouldNotLetTheCpuTouchMemoryOfAGpu() {
    Region region =
        new Region(
            0,
            "rows",
            RegionKind.DATA,
            new RegionMemory.Device(ADDRESS, 3L << 30, Optional.empty()));
    assertEquals(3L << 30, region.bytes());
    String why = assertThrows(IllegalStateException.class, region::local).getMessage();
    assertTrue(why.contains("'rows'") && why.contains("0x7f0000000000"), why);
  }

  @Test
  void shouldRefuseMemoryThatCannotBe() {
    Optional<RegionMemory.DmaBuf> none = Optional.empty();
    MemorySegment heap = MemorySegment.ofArray(new long[8]);
    assertThrows(IllegalArgumentException.class, () -> new RegionMemory.Host(heap));
    assertThrows(IllegalArgumentException.class, () -> new RegionMemory.Device(0, 64, none));
    assertThrows(IllegalArgumentException.class, () -> new RegionMemory.Device(ADDRESS, 0, none));
    assertThrows(
        IllegalArgumentException.class,
        () -> new RegionMemory.Device(Long.MAX_VALUE, Long.MAX_VALUE, none));
    assertThrows(IllegalArgumentException.class, () -> new RegionMemory.DmaBuf(-1, 0));
    assertThrows(IllegalArgumentException.class, () -> new RegionMemory.DmaBuf(3, -1));
  }
}
