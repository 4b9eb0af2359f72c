// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.emulated.fault;

import static dev.jgin.fabric.emulated.World.load;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jgin.fabric.emulated.World;
import dev.jgin.gin.Communicator;
import dev.jgin.gin.CommunicatorOptions;
import dev.jgin.gin.DeadlineException;
import dev.jgin.gin.LaneFailedException;
import dev.jgin.gin.Window;
import dev.jgin.gin.spi.Fabric;
import dev.jgin.gin.spi.LaneStatus;
import dev.jgin.gin.spi.RankTask;
import dev.jgin.gin.spi.Region;
import dev.jgin.gin.spi.RegionKind;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FaultyFabricTest {

  private static World open(String spec, long seed, FaultPlan plan) {
    return World.open(spec, 2, 2, seed, fabric -> new FaultyFabric(fabric, plan));
  }

  private static void add(World world, List<Region> cells, int context) {
    Fabric fabric = world.fabric(0);
    assertNotEquals(Fabric.FULL, fabric.atomicAdd(context, 1, cells.get(0), 8L * context, 1));
    fabric.ring(context, 1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"emulated", "emulated:adversarial"})
  void shouldFailALaneWithTheGivenStatusAndSparesOthers(String spec) {
    FaultPlan plan = FaultPlan.of(new Fault.FailLane(0, 0, 1, 2, LaneStatus.REMOTE_ACCESS));
    try (World world = open(spec, 1, plan)) {
      List<Region> cells = world.register("cells", 64, RegionKind.SIGNAL);
      Fabric fabric = world.fabric(0);
      for (int i = 0; i < 2; i++) {
        add(world, cells, 0);
        world.await("completion", () -> fabric.completed(0, 1) == fabric.posted(0, 1));
      }
      assertEquals(LaneStatus.OK.word(), fabric.error(0, 1));
      add(world, cells, 0);
      add(world, cells, 1);
      assertEquals(LaneStatus.REMOTE_ACCESS.word(), fabric.error(0, 1));
      assertEquals(1, fabric.failures());
      world.await("the other lane", () -> load(cells.get(1), 8) == 1);
      world.await("flushing", () -> fabric.completed(0, 1) == 3);
      world.await("what was accepted", () -> load(cells.get(1), 0) == 2);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"emulated", "emulated:adversarial"})
  void shouldDelayALaneAndKeepItsOrder(String spec) {
    FaultPlan plan = FaultPlan.of(new Fault.DelayLane(0, 0, 1, 0, 30_000_000));
    try (World world = open(spec, 1, plan)) {
      List<Region> cells = world.register("cells", 64, RegionKind.SIGNAL);
      long start = world.fabric(0).clock().getAsLong();
      add(world, cells, 0);
      add(world, cells, 1);
      assertEquals(0, load(cells.get(1), 0));
      world.await("the other lane", () -> load(cells.get(1), 8) == 1);
      assertEquals(0, world.fabric(0).completed(0, 1));
      world.await("the delayed lane", () -> load(cells.get(1), 0) == 1);
      assertTrue(world.fabric(0).clock().getAsLong() - start >= 30_000_000);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"emulated", "emulated:adversarial"})
  void shouldPauseARank(String spec) {
    FaultPlan plan = FaultPlan.of(new Fault.PauseRank(0, 1, 30_000_000));
    try (World world = open(spec, 1, plan)) {
      List<Region> cells = world.register("cells", 64, RegionKind.SIGNAL);
      FaultyFabric fabric = (FaultyFabric) world.fabric(0);
      add(world, cells, 0);
      world.await("the first add", () -> load(cells.get(1), 0) == 1);
      add(world, cells, 1);
      assertTrue(fabric.isPaused());
      assertEquals(RankTask.Step.WAITING, fabric.pausable(() -> RankTask.Step.DONE).step());
      assertEquals(0, load(cells.get(1), 8));
      world.await("the end of the pause", () -> !fabric.isPaused());
      assertEquals(RankTask.Step.DONE, fabric.pausable(() -> RankTask.Step.DONE).step());
      world.await("the second add", () -> load(cells.get(1), 8) == 1);
    }
  }

  private static List<Communicator> communicators(World world) {
    CommunicatorOptions options = CommunicatorOptions.defaults().withTimeoutNanos(200_000_000L);
    return World.onThreads(2, r -> Communicator.create(world.fabric(r), options));
  }

  private static void put(List<Communicator> comms) {
    List<Window> windows = World.onThreads(2, r -> comms.get(r).registerWindow("w", 4096));
    comms.get(0).context(0).put(1, windows.get(0), 0, windows.get(0), 8, 8);
  }

  @ParameterizedTest
  @ValueSource(strings = {"emulated", "emulated:adversarial"})
  void shouldEndInADeadlineWhenACompletionIsLost(String spec) {
    try (World world = open(spec, 1, FaultPlan.of(new Fault.LoseCompletion(0, 0, 1, 0)))) {
      List<Communicator> comms = communicators(world);
      put(comms);
      assertThrows(DeadlineException.class, () -> comms.get(0).context(0).flush());
      assertEquals(0, world.fabric(0).completed(0, 1));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"emulated", "emulated:adversarial"})
  void shouldBeReportedAsBrokenContractWhenACompletionIsDoubled(String spec) {
    try (World world = open(spec, 1, FaultPlan.of(new Fault.DuplicateCompletion(0, 0, 1, 0)))) {
      List<Communicator> comms = communicators(world);
      put(comms);
      LaneFailedException e =
          assertThrows(LaneFailedException.class, () -> comms.get(0).context(0).flush());
      assertEquals(LaneStatus.CARRIER_CONTRACT, e.status());
    }
  }

  @Test
  void shouldForgetAMiscountAndAFailureWithTheGeneration() {
    FaultPlan plan =
        FaultPlan.of(
            new Fault.DuplicateCompletion(0, 0, 1, 0),
            new Fault.FailLane(0, 0, 1, 1, LaneStatus.LOCAL_ACCESS));
    try (World world = open("emulated", 1, plan)) {
      List<Region> cells = world.register("cells", 64, RegionKind.SIGNAL);
      Fabric fabric = world.fabric(0);
      add(world, cells, 0);
      world.await("one too many", () -> fabric.completed(0, 1) == 2);
      add(world, cells, 0);
      assertEquals(LaneStatus.LOCAL_ACCESS.word(), fabric.error(0, 1));
      fabric.laneControl().fence(0, 1);
      world.fabric(1).laneControl().fence(0, 0);
      byte[] mine = fabric.laneControl().prepare(0, 1);
      fabric.laneControl().reconnect(0, 1, world.fabric(1).laneControl().prepare(0, 0));
      world.fabric(1).laneControl().reconnect(0, 0, mine);
      assertEquals(LaneStatus.OK.word(), fabric.error(0, 1));
      add(world, cells, 0);
      world.await("completion", () -> fabric.completed(0, 1) == 1);
      fabric.laneControl().fence(0, 1);
      assertEquals(LaneStatus.FENCED.word(), fabric.error(0, 1));
    }
  }

  @Test
  void shouldDrawThePlanFromTheSeedAlone() {
    assertEquals(FaultPlan.any(5, 8, 4, 20), FaultPlan.any(5, 8, 4, 20));
    assertNotEquals(FaultPlan.any(5, 8, 4, 20), FaultPlan.any(6, 8, 4, 20));
    for (Fault fault : FaultPlan.delays(7, 8, 4, 50).faults()) {
      assertTrue(fault instanceof Fault.DelayLane || fault instanceof Fault.PauseRank);
    }
  }

  @Test
  void shouldReplayARunWithFaults() {
    List<Long> times = new ArrayList<>();
    for (int run = 0; run < 2; run++) {
      try (World world = open("emulated:adversarial", 4, FaultPlan.delays(9, 2, 2, 6))) {
        List<Region> cells = world.register("cells", 64, RegionKind.SIGNAL);
        for (int i = 0; i < 60; i++) {
          add(world, cells, i % 2);
          world.move();
        }
        world.await("all", () -> load(cells.get(1), 0) == 30 && load(cells.get(1), 8) == 30);
        times.add(world.fabric(0).clock().getAsLong());
      }
    }
    assertEquals(times.get(0), times.get(1));
  }

  @Test
  void shouldRefuseFaultsOfLanesThatDoNotExist() {
    FaultPlan plan = FaultPlan.of(new Fault.LoseCompletion(0, 9, 1, 0));
    try (World world = World.open("emulated", 1, 1, 1)) {
      String message =
          assertThrows(
                  IllegalArgumentException.class, () -> new FaultyFabric(world.fabric(0), plan))
              .getMessage();
      assertTrue(message.contains("1 contexts and 1 ranks"), message);
    }
    assertThrows(
        IllegalArgumentException.class, () -> new Fault.FailLane(0, 0, 0, 0, LaneStatus.OK));
    assertThrows(IllegalArgumentException.class, () -> new Fault.PauseRank(0, 0, 0));
  }
}
