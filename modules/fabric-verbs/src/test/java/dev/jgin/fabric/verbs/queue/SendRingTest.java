// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.verbs.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Byte by byte against {@code struct ibv_send_wr} and {@code struct ibv_sge} of rdma-core, with
 * offsets written here by hand: the layouts under test come from the generated code.
 */
class SendRingTest {

  private final Arena arena = Arena.ofConfined();
  private final SendRing ring = new SendRing(arena, 4);

  @AfterEach
  void close() {
    arena.close();
  }

  /** A work request and its scatter entry, built field by field at the offsets of the C header. */
  private ByteBuffer expected(
      int slot, long id, long next, int entries, int opcode, int flags, long local, int bytes) {
    ByteBuffer b = ByteBuffer.allocate(144).order(ByteOrder.LITTLE_ENDIAN);
    b.putLong(0, id).putLong(8, next).putLong(16, ring.slot(slot).address() + 128);
    b.putInt(24, entries).putInt(28, opcode).putInt(32, flags);
    b.putLong(128, local).putInt(136, bytes).putInt(140, 0x11);
    return b;
  }

  private void assertSlot(ByteBuffer expected, int slot) {
    byte[] bytes = new byte[expected.capacity()];
    expected.get(0, bytes);
    assertEquals(
        HexFormat.of().formatHex(bytes),
        HexFormat.of().formatHex(ring.slot(slot).toArray(ValueLayout.JAVA_BYTE)));
  }

  @Test
  void shouldLayOutAWrite() {
    ring.write(1, 0x0001_0002_0000_0003L, false, 0x1000, 0x11, 0x7fff_0000_1234L, 0x22, 4096);
    ByteBuffer b =
        expected(1, 0x0001_0002_0000_0003L, ring.slot(2).address(), 1, 0, 0, 0x1000, 4096);
    assertSlot(b.putLong(40, 0x7fff_0000_1234L).putInt(48, 0x22), 1);
  }

  @Test
  void shouldLayOutASignalledInlineWrite() {
    ring.write(0, 7, true, 0x1000, 0x11, 0x2000, 0x22, 8);
    ring.signal(0);
    ByteBuffer b = expected(0, 7, ring.slot(1).address(), 1, 0, 2 | 8, 0x1000, 8);
    assertSlot(b.putLong(40, 0x2000).putInt(48, 0x22), 0);
  }

  @Test
  void shouldLayOutAReadAndForgetTheFlagsOfTheSlotsLastUse() {
    ring.write(3, 1, true, 0x1000, 0x11, 0x2000, 0x22, 8);
    ring.signal(3);
    ring.read(3, 5, 0x3000, 0x11, 0x4000, 0x44, 100);
    ByteBuffer b = expected(3, 5, ring.slot(0).address(), 1, 4, 0, 0x3000, 100);
    assertSlot(b.putLong(40, 0x4000).putInt(48, 0x44), 3);
  }

  @Test
  void shouldLayOutAFetchAndAdd() {
    ring.fetchAndAdd(2, 9, 0x3000, 0x11, 0x4000, 0x44, -5);
    ByteBuffer b = expected(2, 9, ring.slot(3).address(), 1, 6, 0, 0x3000, 8);
    assertSlot(b.putLong(40, 0x4000).putLong(48, -5).putInt(64, 0x44), 2);
  }

  @Test
  void shouldGiveNoScatterEntryForNoBytes() {
    ring.write(0, 1, false, 0x1000, 0x11, 0x2000, 0x22, 0);
    assertEquals(0, ring.slot(0).get(ValueLayout.JAVA_INT, 24));
  }

  @Test
  void shouldKeepLengthsBeyondTwoGigabytes() {
    ring.write(0, 1, false, 0x1000, 0x11, 0x2000, 0x22, 0xc000_0000L);
    assertEquals(0xc000_0000L, Integer.toUnsignedLong(ring.slot(0).get(ValueLayout.JAVA_INT, 136)));
  }

  @Test
  void shouldCutAChainAcrossTheEndOfTheRingAndLinkItAgain() {
    MemorySegment head = ring.cut(2, 1);
    assertEquals(ring.slot(2).address(), head.address());
    long[] chain = new long[4];
    long at = head.address();
    for (int i = 0; at != 0; i++) {
      chain[i] = ring.slotAt(at);
      at = ring.slot(ring.slotAt(at)).get(ValueLayout.JAVA_LONG, 8);
    }
    assertEquals("[2, 3, 0, 1]", java.util.Arrays.toString(chain));
    ring.link(1);
    assertEquals(ring.slot(2).address(), ring.slot(1).get(ValueLayout.JAVA_LONG, 8));
  }
}
