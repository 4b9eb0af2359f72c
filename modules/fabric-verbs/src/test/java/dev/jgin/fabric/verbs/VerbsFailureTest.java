// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jgin.fabric.verbs.queue.Psn;
import dev.jgin.gin.CommunicatorOptions;
import dev.jgin.gin.LocalWorld;
import dev.jgin.gin.spi.FabricSpec;
import dev.jgin.gin.spi.LaneControl;
import dev.jgin.gin.spi.LaneSample;
import dev.jgin.gin.spi.LaneStatus;
import dev.jgin.gin.spi.Region;
import dev.jgin.gin.spi.RegionKind;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Wrong inputs and lost peers, over a real device. */
@ExtendWith(NeedsDevice.class)
class VerbsFailureTest {

  @ParameterizedTest
  @CsvSource({
    "'device=nosuch', 'device ''nosuch'' is unknown: this machine has ['",
    "'gid=200', 'no GID at index 200; it has '",
    "'port=7', 'has no port 7: it has 1..'",
    "'depth=32768', 'use a smaller depth or fewer ranks'",
  })
  void shouldNameWhatDoesNotExist(String option, String expected) {
    String spec = NeedsDevice.fabric().replaceAll(",?devices?=[^,]*", "") + "," + option;
    String text = spec.replace(":,", ":");
    int ranks = option.startsWith("depth") ? 64 : 1;
    RuntimeException e =
        assertThrows(
            RuntimeException.class,
            () ->
                LocalWorld.open(
                    FabricSpec.parse(text, 1, 1), ranks, CommunicatorOptions.defaults()));
    assertTrue(e.getMessage().contains(expected), e.getMessage());
  }

  @Test
  void shouldReportAPeerThatIsGoneAndGoOnWithTheOthers() {
    try (Ranks ranks = Ranks.open(NeedsDevice.fabric(), 3, 2)) {
      List<Region> data = ranks.register("data", 4096, RegionKind.DATA);
      VerbsFabric sender = ranks.fabric(0);
      Region mine = data.getFirst();
      VerbsFabric gone = ranks.fabric(1);
      gone.laneControl().fence(0, 0);
      gone.laneControl().fence(1, 0);
      ranks.send(0, 0, 1, () -> sender.write(0, 1, mine, 0, mine, 64, 8));
      ranks.await("the failure", () -> sender.error(0, 1) != 0);
      LaneError error = sender.laneError(0, 1).orElseThrow();
      assertEquals(LaneStatus.RETRY_EXCEEDED, error.status());
      assertEquals("IBV_WC_RETRY_EXC_ERR", error.code());
      assertEquals(0, error.ticket());
      assertEquals(1, sender.failures());
      Ranks.store(mine, 0, 9);
      ranks.send(0, 0, 2, () -> sender.write(0, 2, mine, 0, mine, 64, 8));
      ranks.await("the other peer", () -> Ranks.load(data.get(2), 64) == 9);
      ranks.send(0, 0, 1, () -> sender.write(0, 1, mine, 0, mine, 64, 8));
      ranks.await("the flush", () -> sender.completed(0, 1) == sender.posted(0, 1));
      assertEquals(error, sender.laneError(0, 1).orElseThrow(), "the first failure stays");
    }
  }

  @Test
  void shouldCarryAndCountAcrossTheWrapOfPacketNumbers() {
    try (Ranks ranks = Ranks.open(NeedsDevice.fabric() + ",psn=" + (Psn.MAX - 10), 2, 1)) {
      List<Region> cells = ranks.register("cells", 64, RegionKind.SIGNAL);
      VerbsFabric sender = ranks.fabric(0);
      Region mine = cells.getFirst();
      for (int i = 0; i < 40; i++) {
        ranks.send(0, 0, 1, () -> sender.atomicAdd(0, 1, mine, 0, 1));
      }
      ranks.await("all adds", () -> sender.completed(0, 1) == 40);
      assertEquals(40, Ranks.load(cells.get(1), 0));
      LaneControl sending = sender.laneControl();
      LaneControl receiving = ranks.fabric(1).laneControl();
      sending.fence(0, 1);
      receiving.fence(0, 0);
      ranks.await("draining", () -> sending.drained(0, 1) && receiving.drained(0, 0));
      LaneSample sent = sending.sample(0, 1);
      int after = Psn.add(Psn.MAX - 10, 40);
      assertEquals(
          new LaneSample(1, after, after, Psn.MAX - 10, LaneSample.MESSAGES_UNKNOWN), sent);
      assertEquals(after, receiving.sample(0, 0).expectedPsn());
    }
  }

  /** Written forwards, read backwards: what is seen first was written last. */
  @Test
  void shouldShowTenThousandPutsWholeBehindTheirSignals() {
    int words = 64;
    try (Ranks ranks = Ranks.open(NeedsDevice.fabric(), 2, 1)) {
      List<Region> data = ranks.register("data", 2L * words * 8, RegionKind.DATA);
      List<Region> cells = ranks.register("cells", 64, RegionKind.SIGNAL);
      VerbsFabric sender = ranks.fabric(0);
      for (long i = 1; i <= 10_000; i++) {
        long half = (i & 1) * words * 8;
        for (long at = 0; at < words * 8L; at += 8) {
          Ranks.store(data.getFirst(), half + at, i);
        }
        ranks.await("room", () -> sender.posted(0, 1) - sender.completed(0, 1) <= 2);
        Region from = data.getFirst();
        sender.write(0, 1, from, half, from, half, words * 8L);
        ranks.send(0, 0, 1, () -> sender.atomicAdd(0, 1, cells.getFirst(), 0, 1));
        long wanted = i;
        ranks.await("signal " + i, () -> Ranks.load(cells.get(1), 0) >= wanted);
        for (long at = (words - 1) * 8L; at >= 0; at -= 8) {
          assertEquals(i, Ranks.load(data.get(1), half + at), "put " + i + " at " + at);
        }
      }
    }
  }
}
