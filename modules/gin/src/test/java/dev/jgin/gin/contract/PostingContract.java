// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gin.contract;

import static dev.jgin.gin.contract.ContractWorld.load;
import static dev.jgin.gin.contract.ContractWorld.store;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jgin.gin.spi.Axiom;
import dev.jgin.gin.spi.Fabric;
import dev.jgin.gin.spi.LaneStatus;
import dev.jgin.gin.spi.Region;
import dev.jgin.gin.spi.RegionKind;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What posting, ringing and polling promise on every carrier. */
abstract class PostingContract {

  private static final int RANKS = 3;
  private static final int CONTEXTS = 2;
  private static final long BYTES = 1 << 16;

  private ContractWorld world;
  private Fabric fabric;
  private List<Region> data;
  private List<Region> signals;

  abstract String spec();

  @BeforeEach
  void open() {
    world = ContractWorld.open(spec(), RANKS, CONTEXTS, ContractWorld.seed());
    fabric = world.fabric(0);
    data = world.register("data", BYTES, RegionKind.DATA);
    signals = world.register("signals", 4096, RegionKind.SIGNAL);
  }

  @AfterEach
  void close() {
    world.close();
  }

  private long write(int peer, long from, long to, long bytes) {
    return world.post(
        0, 0, peer, () -> fabric.write(0, peer, data.get(0), from, data.get(0), to, bytes));
  }

  private void ring(int peer) {
    fabric.ring(0, peer);
  }

  @Test
  void shouldSayWhoItIs() {
    assertEquals(0, fabric.rank());
    assertEquals(RANKS, fabric.ranks());
    assertEquals(CONTEXTS, fabric.contexts());
    assertTrue(fabric.laneDepth() >= 1);
    assertEquals(0, fabric.failures());
  }

  @Test
  void shouldStartWithIdleLanesWithoutError() {
    for (int c = 0; c < CONTEXTS; c++) {
      for (int p = 0; p < RANKS; p++) {
        fabric.ring(c, p);
        assertEquals(0, fabric.posted(c, p));
        assertEquals(0, fabric.completed(c, p));
        assertEquals(LaneStatus.OK.word(), fabric.error(c, p));
      }
    }
  }

  @Test
  void shouldCountTicketsFromZeroOnEachLane() {
    for (long expected = 0; expected < 3; expected++) {
      assertEquals(expected, write(1, 0, 0, 8));
      assertEquals(expected, write(2, 0, 0, 8));
      assertEquals(expected + 1, fabric.posted(0, 1));
    }
    assertEquals(0, fabric.posted(1, 1));
  }

  @Test
  void shouldCompleteInOrderAndNeverMoreThanWasPosted() {
    long before = 0;
    for (int i = 0; i < 200; i++) {
      write(1, 0, 8L * i, 8);
      ring(1);
      world.move();
      long completed = fabric.completed(0, 1);
      assertTrue(completed >= before && completed <= fabric.posted(0, 1), "completed " + completed);
      before = completed;
    }
    world.awaitCompletion(0, 0, 1);
  }

  @Test
  void shouldSendNothingBeforeTheRing() {
    store(data.get(0), 0, 7);
    write(1, 0, 64, 8);
    for (int i = 0; i < 100; i++) {
      world.move();
    }
    assertEquals(0, load(data.get(1), 64));
    assertEquals(0, fabric.completed(0, 1));
    ring(1);
    world.await("the write", () -> load(data.get(1), 64) == 7);
  }

  @Test
  void shouldSendAWholeBatchWithOneRing() {
    for (int i = 0; i < 10; i++) {
      store(data.get(0), 8L * i, i + 1);
      write(1, 8L * i, 8L * i, 8);
    }
    ring(1);
    world.awaitCompletion(0, 0, 1);
    for (int i = 0; i < 10; i++) {
      long at = 8L * i;
      long value = i + 1L;
      world.await("write " + i, () -> load(data.get(1), at) == value);
    }
  }

  @Test
  void shouldTakeATicketForZeroBytes() {
    assertEquals(0, write(1, BYTES, BYTES, 0));
    ring(1);
    world.awaitCompletion(0, 0, 1);
    assertEquals(1, fabric.completed(0, 1));
  }

  @Test
  void shouldAnswerFullAndRecover() {
    Region mine = data.get(0);
    int posted = 0;
    while (fabric.write(0, 1, mine, 0, mine, 0, 8) != Fabric.FULL) {
      posted++;
    }
    assertEquals(fabric.laneDepth(), posted);
    assertEquals(posted, fabric.posted(0, 1));
    assertEquals(Fabric.FULL, fabric.atomicAdd(0, 1, signals.get(0), 0, 1));
    assertEquals(0, fabric.write(0, 2, mine, 0, mine, 0, 8), "another lane has room");
    assertEquals(0, fabric.write(1, 1, mine, 0, mine, 0, 8), "another context has room");
    ring(1);
    world.awaitCompletion(0, 0, 1);
    assertEquals(posted, write(1, 0, 0, 8));
  }

  @Test
  void shouldWriteInlineOfEverySize() {
    long value = 0x8877665544332211L;
    for (int bytes = 1; bytes <= 8; bytes *= 2) {
      long at = 64L * bytes;
      int size = bytes;
      world.post(0, 0, 1, () -> fabric.writeInline(0, 1, data.get(0), at + size % 8, value, size));
      ring(1);
      long mask = bytes == 8 ? -1L : (1L << (8 * bytes)) - 1;
      long expected = (value & mask) << (8 * (size % 8));
      world.await(bytes + " bytes", () -> load(data.get(1), at) == expected);
    }
  }

  @Test
  void shouldRefuseBadInlineWrites() {
    Region mine = data.get(0);
    assertThrows(IllegalArgumentException.class, () -> fabric.writeInline(0, 1, mine, 0, 1, 3));
    assertThrows(IllegalArgumentException.class, () -> fabric.writeInline(0, 1, mine, 4, 1, 8));
    assertThrows(
        IndexOutOfBoundsException.class, () -> fabric.writeInline(0, 1, mine, BYTES, 1, 8));
    assertEquals(0, fabric.posted(0, 1));
  }

  @Test
  void shouldRefuseBadAtomics() {
    assertThrows(IllegalArgumentException.class, () -> fabric.atomicAdd(0, 1, data.get(0), 0, 1));
    assertThrows(
        IllegalArgumentException.class, () -> fabric.atomicAdd(0, 1, signals.get(0), 4, 1));
    assertThrows(
        IndexOutOfBoundsException.class, () -> fabric.atomicAdd(0, 1, signals.get(0), 4096, 1));
    assertEquals(0, fabric.posted(0, 1));
  }

  @Test
  void shouldRefuseRangesThatLeaveTheirRegion() {
    Region mine = data.get(0);
    long[][] bad = {
      {-1, 0, 8},
      {0, -1, 8},
      {0, 0, -1},
      {BYTES - 7, 0, 8},
      {0, BYTES - 7, 8},
      {0, 1L << 33, 8},
      {Long.MAX_VALUE, 0, Long.MAX_VALUE},
      {0, 8, Long.MAX_VALUE},
    };
    for (long[] range : bad) {
      assertThrows(
          IndexOutOfBoundsException.class,
          () -> fabric.write(0, 1, mine, range[0], mine, range[1], range[2]));
      assertThrows(
          IndexOutOfBoundsException.class,
          () -> fabric.read(0, 1, mine, range[0], mine, range[1], range[2]));
    }
    assertEquals(0, fabric.posted(0, 1));
  }

  @Test
  void shouldRefuseLanesThatDoNotExist() {
    Region mine = data.get(0);
    assertThrows(
        IndexOutOfBoundsException.class, () -> fabric.write(CONTEXTS, 1, mine, 0, mine, 0, 8));
    assertThrows(
        IndexOutOfBoundsException.class, () -> fabric.write(0, RANKS, mine, 0, mine, 0, 8));
    assertThrows(IndexOutOfBoundsException.class, () -> fabric.write(0, -1, mine, 0, mine, 0, 8));
  }

  @Test
  void shouldRefuseTheHandleOfAnotherFabric() {
    Region foreign = data.get(1);
    assertThrows(
        IllegalArgumentException.class, () -> fabric.write(0, 1, foreign, 0, data.get(0), 0, 8));
  }

  @Test
  void shouldCarryBytesBetweenAllPairsAndToItself() {
    for (int r = 0; r < RANKS; r++) {
      for (int p = 0; p < RANKS; p++) {
        Fabric sender = world.fabric(r);
        Region mine = data.get(r);
        long at = 1024L * (RANKS * r + p);
        store(mine, at, 100L * r + p + 1);
        int peer = p;
        world.post(r, 1, p, () -> sender.write(1, peer, mine, at, mine, at + 512, 8));
        sender.ring(1, p);
        long value = 100L * r + p + 1;
        world.await("bytes", () -> load(data.get(peer), at + 512) == value);
      }
    }
  }

  @Test
  void shouldAddToItsOwnCells() {
    boolean once = fabric.axioms().promises(Axiom.A6);
    // Without A6 a single add may be lost: of many, some take effect.
    for (int i = 0; i < (once ? 1 : 32); i++) {
      world.post(0, 0, 0, () -> fabric.atomicAdd(0, 0, signals.get(0), 8, -5));
    }
    ring(0);
    world.await("the add", () -> load(signals.get(0), 8) != 0);
    assertEquals(0, load(signals.get(0), 8) % 5);
    if (once) {
      assertEquals(-5, load(signals.get(0), 8));
    }
  }

  @Test
  void shouldHaveWhatItReadWhenTheReadCompletes() {
    for (int p = 0; p < RANKS; p++) {
      int peer = p;
      store(data.get(p), 4096, 40L + p);
      Region mine = data.get(0);
      long to = 8192 + 64L * p;
      world.post(0, 0, p, () -> fabric.read(0, peer, mine, 4096, mine, to, 8));
      ring(p);
      world.awaitCompletion(0, 0, p);
      assertEquals(40L + p, load(mine, to));
    }
  }

  @Test
  void shouldNotLookAtTheSourceAfterCompletion() {
    for (int i = 0; i < 100; i++) {
      store(data.get(0), 0, i + 1);
      long at = 64 + 8L * i;
      write(1, 0, at, 8);
      ring(1);
      world.awaitCompletion(0, 0, 1);
      store(data.get(0), 0, -1);
      long value = i + 1L;
      world.await("write " + i, () -> load(data.get(1), at) == value);
    }
  }

  @Test
  void shouldCarryEveryByteOfUnalignedRanges() {
    Region mine = data.get(0);
    for (int i = 0; i < 300; i++) {
      mine.local().set(java.lang.foreign.ValueLayout.JAVA_BYTE, 3 + i, (byte) (i | 1));
    }
    write(1, 3, 1029, 300);
    ring(1);
    Region theirs = data.get(1);
    world.await(
        "300 bytes",
        () -> theirs.local().asSlice(1029, 300).mismatch(mine.local().asSlice(3, 300)) == -1);
    assertEquals(0, theirs.local().get(java.lang.foreign.ValueLayout.JAVA_BYTE, 1028));
    assertEquals(0, theirs.local().get(java.lang.foreign.ValueLayout.JAVA_BYTE, 1329));
  }

  @Test
  void shouldRefuseRegistrationsThatDiffer() {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () ->
                ContractWorld.onThreads(
                    RANKS,
                    r -> world.fabric(r).register("odd", r == 1 ? 4096 : 8192, RegionKind.DATA)));
    assertTrue(e.getMessage().contains("4096") && e.getMessage().contains("8192"), e.getMessage());
  }

  @Test
  void shouldRefuseEmptyRegionsAndRegisterAfterwards() {
    assertThrows(IllegalArgumentException.class, () -> world.register("empty", 0, RegionKind.DATA));
    List<Region> next = world.register("next", 1024, RegionKind.DATA);
    assertEquals(1024, next.get(0).bytes());
    assertEquals(0, load(next.get(2), 1016), "zero-filled");
  }
}
