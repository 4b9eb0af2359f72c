// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jgin.gin.Barrier;
import dev.jgin.gin.BarrierOptions;
import dev.jgin.gin.BarrierProtocol;
import dev.jgin.gin.DeadlineException;
import dev.jgin.gin.FenceLevel;
import dev.jgin.gin.SignalTable;
import dev.jgin.gin.Window;
import dev.jgin.gin.spi.LaneControl;
import dev.jgin.gin.spi.LaneStatus;
import dev.jgin.gin.spi.Region;
import dev.jgin.gin.spi.RegionKind;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Paths that lose, delay and end, between two soft-RoCE devices: in the guest of {@code
 * scripts/soft-roce}, whose {@code JGIN_RXE_PATH} breaks and heals them.
 */
@EnabledIfEnvironmentVariable(named = "JGIN_RXE_PATH", matches = ".+")
class VerbsPathTest {

  private static final String SPEC = "verbs:devices=rxe0+rxe1,timeout=12,retry=3";
  private static final long ROW = 1024;
  private static final int EPOCHS = 10;

  private static void path(String... words) {
    List<String> command = new ArrayList<>(List.of(System.getenv("JGIN_RXE_PATH")));
    command.addAll(List.of(words));
    try {
      Process process = new ProcessBuilder(command).inheritIO().start();
      assertEquals(0, process.waitFor(), () -> String.join(" ", command));
    } catch (IOException e) {
      throw new AssertionError(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  private String downed;

  /** Ends the link between both devices: the other end of a veth pair loses its carrier. */
  private void down(String device) {
    path("down", device);
    downed = device;
  }

  private void up() {
    path("up", downed);
    downed = null;
  }

  @AfterEach
  void heal() {
    if (downed != null) {
      up();
    }
    for (String device : List.of("rxe0", "rxe1")) {
      path("heal", device);
      path("mtu", device, "4200");
      awaitActive(device);
    }
  }

  /** The device learns of its interface's state a moment later. */
  private static void awaitActive(String device) {
    Path state = Path.of("/sys/class/infiniband", device, "ports/1/state");
    long start = System.nanoTime();
    try {
      while (!Files.readString(state).contains("ACTIVE")) {
        assertTrue(System.nanoTime() - start < Ranks.TIMEOUT, device + " stays down");
        Thread.onSpinWait();
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static void assertCarries(Ranks ranks, List<Region> data, int context, long value) {
    VerbsFabric sender = ranks.fabric(0);
    Region mine = data.getFirst();
    Ranks.store(mine, 0, value);
    long at = 8 * (value % 100 + 1);
    ranks.send(0, context, 1, () -> sender.write(context, 1, mine, 0, mine, at, 8));
    ranks.await("the write", () -> Ranks.load(data.get(1), at) == value);
  }

  private static void recover(Ranks ranks, int context) {
    LaneControl sending = ranks.fabric(0).laneControl();
    LaneControl receiving = ranks.fabric(1).laneControl();
    sending.fence(context, 1);
    receiving.fence(context, 0);
    ranks.await("draining", () -> sending.drained(context, 1) && receiving.drained(context, 0));
    byte[] mine = sending.prepare(context, 1);
    byte[] theirs = receiving.prepare(context, 0);
    receiving.reconnect(context, 0, mine);
    sending.reconnect(context, 1, theirs);
  }

  /** Who waits for rank 0 on context 0 and posts nothing itself has its deadline, and no more. */
  private static void assertWaitEnds(Ranks ranks) {
    SignalTable signals = ranks.world.communicator(1).context(0).signals();
    DeadlineException e =
        assertThrows(DeadlineException.class, () -> signals.await(3, 1, 300_000_000L));
    assertTrue(e.getMessage().contains("rank 1: deadline of 300 ms passed"), e.getMessage());
    assertEquals(0, ranks.fabric(1).failures());
  }

  private static LaneError failureOf(Ranks ranks, int rank, List<Region> data) {
    VerbsFabric fabric = ranks.fabric(rank);
    Region mine = data.get(rank);
    int peer = 1 - rank;
    ranks.send(rank, 0, peer, () -> fabric.write(0, peer, mine, 0, mine, 64, 8));
    ranks.await("the failure of rank " + rank, () -> fabric.error(0, peer) != 0);
    return fabric.laneError(0, peer).orElseThrow();
  }

  @Test
  void shouldReportALaneWhosePacketsAreLostAndRecoverIt() {
    try (Ranks ranks = Ranks.open(SPEC, 2, 2)) {
      List<Region> data = ranks.register("data", 4096, RegionKind.DATA);
      VerbsFabric sender = ranks.fabric(0);
      assertCarries(ranks, data, 0, 1);
      path("drop", "rxe0", String.valueOf(ranks.fabric(1).queuePairNumber(0, 0)));
      assertEquals(LaneStatus.RETRY_EXCEEDED, failureOf(ranks, 0, data).status());
      assertWaitEnds(ranks);
      // Its own packets arrive, and what acknowledges them is lost.
      assertEquals(LaneStatus.RETRY_EXCEEDED, failureOf(ranks, 1, data).status());
      assertCarries(ranks, data, 1, 2);
      path("heal", "rxe0");
      recover(ranks, 0);
      assertCarries(ranks, data, 0, 3);
      assertEquals(0, sender.error(0, 1));
      assertEquals(2, sender.laneControl().generation(0, 1));
    }
  }

  @ParameterizedTest
  @CsvSource({"rxe1, RETRY_EXCEEDED, LOCAL_DEVICE", "rxe0, LOCAL_DEVICE, RETRY_EXCEEDED"})
  void shouldReportALinkThatIsDown(String device, LaneStatus expected, LaneStatus passive) {
    try (Ranks ranks = Ranks.open(SPEC, 2, 1)) {
      List<Region> data = ranks.register("data", 4096, RegionKind.DATA);
      assertCarries(ranks, data, 0, 1);
      down(device);
      assertStatus(expected, failureOf(ranks, 0, data));
      assertWaitEnds(ranks);
      assertStatus(passive, failureOf(ranks, 1, data));
      up();
      awaitActive("rxe0");
      awaitActive("rxe1");
      recover(ranks, 0);
      assertCarries(ranks, data, 0, 2);
    }
  }

  /** Later kernels flush at once where a device's own link is down, and say no more. */
  private static void assertStatus(LaneStatus expected, LaneError error) {
    assertTrue(
        error.status() == expected
            || (expected == LaneStatus.LOCAL_DEVICE && error.status() == LaneStatus.FLUSHED),
        error.toString());
  }

  @Test
  void shouldRefuseAPortThatIsDownAndAnMtuThatDoesNotFit() {
    path("mtu", "rxe0", "1500");
    awaitActive("rxe0");
    String why =
        assertThrows(IllegalArgumentException.class, () -> Ranks.open(SPEC + ",mtu=4096", 2, 1))
            .getMessage();
    assertTrue(why.contains("mtu=4096 is more than the 1024 bytes of device 'rxe0'"), why);
    try (Ranks ranks = Ranks.open(SPEC, 2, 1)) {
      String mtu = ranks.fabric(1).describe();
      assertTrue(mtu.contains("path MTU 1024"), "the smaller of both ends: " + mtu);
    }
    down("rxe1");
    RuntimeException e = assertThrows(RuntimeException.class, () -> Ranks.open(SPEC, 2, 1));
    assertTrue(e.getMessage().contains("port 1 is down, not active"), e.getMessage());
  }

  /** Rows that rank 1 finds stale behind a barrier while context 1 of the way to it is slow. */
  private static int staleRows(BarrierProtocol protocol) {
    int stale = 0;
    try (Ranks ranks = Ranks.open(SPEC, 2, 2)) {
      List<Window> src = ranks.world.onEachRank(c -> c.registerWindow("src", 2 * ROW));
      List<Window> dst = ranks.world.onEachRank(c -> c.registerWindow("dst", 2 * ROW));
      List<Barrier> barriers =
          ranks.world.onEachRank(
              c -> c.barrier("b", c.world(), BarrierOptions.of(protocol, FenceLevel.PUT)));
      path("delay", "rxe0", "20", String.valueOf(ranks.fabric(1).queuePairNumber(1, 0)));
      for (long epoch = 1; epoch <= EPOCHS; epoch++) {
        long at = (epoch & 1) * ROW;
        for (long i = 0; i < ROW; i += 8) {
          src.getFirst().local().set(ValueLayout.JAVA_LONG, at + i, epoch);
        }
        ranks.world.communicator(0).context(1).put(1, dst.getFirst(), at, src.getFirst(), at, ROW);
        Barrier sending = barriers.get(0);
        Barrier receiving = barriers.get(1);
        ranks.await("arriving", sending::tryArrive);
        ranks.await("arriving", receiving::tryArrive);
        boolean[] passed = new boolean[2];
        ranks.await(
            "the barrier",
            () -> {
              ranks.world.communicator(0).progress();
              ranks.world.communicator(1).progress();
              if (!passed[1] && receiving.poll()) {
                passed[1] = true;
              }
              return passed[1];
            });
        if (dst.get(1).local().get(ValueLayout.JAVA_LONG, at + ROW - 8) != epoch) {
          stale++;
        }
        ranks.await("the barrier", sending::poll);
        ranks.world.communicator(0).context(1).flush();
      }
      path("heal", "rxe0");
    }
    System.out.printf(
        "%s, context 1 of 2 delayed by 20 ms: %d of %d rows stale%n", protocol, stale, EPOCHS);
    return stale;
  }

  @Test
  void shouldCatchOneSignalOvertakingASlowContext() {
    assertTrue(staleRows(BarrierProtocol.SINGLE_CONTEXT) > 0);
  }

  @ParameterizedTest
  @CsvSource({"FAN_IN_ALL_CONTEXTS", "FAN_IN_USED_CONTEXTS"})
  void shouldWaitForASlowContext(BarrierProtocol protocol) {
    assertEquals(0, staleRows(protocol));
  }

  /**
   * Says and does not judge: a driver in the kernel copies before it acknowledges, so that flushing
   * happens to suffice there.
   */
  @Test
  void shouldReportWhatFlushingShows() {
    int stale = staleRows(BarrierProtocol.FLUSH_THEN_SINGLE_CONTEXT);
    assertTrue(stale >= 0 && stale <= EPOCHS, "stale rows: " + stale);
  }
}
