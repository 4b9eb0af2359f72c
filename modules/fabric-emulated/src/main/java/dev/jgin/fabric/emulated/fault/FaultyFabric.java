// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.emulated.fault;

import dev.jgin.gin.spi.Axiom;
import dev.jgin.gin.spi.Axioms;
import dev.jgin.gin.spi.Fabric;
import dev.jgin.gin.spi.LaneControl;
import dev.jgin.gin.spi.RankTask;
import dev.jgin.gin.spi.Region;
import dev.jgin.gin.spi.RegionKind;
import dev.jgin.gin.spi.RegionMemory;
import dev.jgin.gin.spi.StepScheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * A carrier with faults. Threads may use it as they may use the carrier itself. Faults delay, fail
 * and miscount, they never reorder a lane; but a plan that delays anything takes {@link
 * Axiom#A2_ACROSS_LANES} from the carrier's axioms. What is withheld goes out when its own rank
 * rings or polls after the delay.
 */
public final class FaultyFabric implements Fabric {

  private final Fabric fabric;
  private final LaneFaults[] lanes;
  private final Axioms axioms;
  private final List<Fault.PauseRank> pauses = new ArrayList<>();
  private long postings;
  private volatile long pausedUntil;
  private volatile boolean paused;

  /** {@code fabric} with those faults of {@code plan} that are its rank's. */
  public FaultyFabric(Fabric fabric, FaultPlan plan) {
    this.fabric = fabric;
    this.axioms = plan.keeps(fabric.axioms());
    this.lanes = new LaneFaults[fabric.contexts() * fabric.ranks()];
    for (Fault fault : plan.of(fabric.rank())) {
      switch (fault) {
        case Fault.PauseRank pause -> pauses.add(pause);
        case Fault.OfLane ofLane -> laneOf(ofLane).add(ofLane);
      }
    }
  }

  private LaneFaults laneOf(Fault.OfLane fault) {
    int context = fault.context();
    int peer = fault.peer();
    if (context < 0 || context >= contexts() || peer < 0 || peer >= ranks()) {
      throw new IllegalArgumentException(
          fault + ": the carrier has " + contexts() + " contexts and " + ranks() + " ranks");
    }
    int index = context * ranks() + peer;
    if (lanes[index] == null) {
      lanes[index] = new LaneFaults(fabric, context, peer);
    }
    return lanes[index];
  }

  /** {@code program}, except that it waits while this rank is paused. */
  public RankTask pausable(RankTask program) {
    return () -> isPaused() ? RankTask.Step.WAITING : program.step();
  }

  /** Whether this rank is paused now. */
  public boolean isPaused() {
    if (paused && fabric.clock().getAsLong() - pausedUntil >= 0) {
      paused = false;
    }
    return paused;
  }

  private long posted(int context, int peer, long ticket) {
    if (ticket != FULL) {
      if (!pauses.isEmpty()) {
        countPosting();
      }
      LaneFaults lane = lanes[context * ranks() + peer];
      if (lane != null) {
        lane.posted(ticket);
      }
    }
    return ticket;
  }

  private synchronized void countPosting() {
    long posting = postings++;
    for (int i = pauses.size() - 1; i >= 0; i--) {
      if (pauses.get(i).posting() <= posting) {
        pausedUntil = fabric.clock().getAsLong() + pauses.remove(i).nanos();
        paused = true;
      }
    }
  }

  @Override
  public long write(
      int context, int peer, Region src, long srcOffset, Region dst, long dstOffset, long bytes) {
    return posted(
        context, peer, fabric.write(context, peer, src, srcOffset, dst, dstOffset, bytes));
  }

  @Override
  public long writeInline(
      int context, int peer, Region dst, long dstOffset, long value, int bytes) {
    return posted(context, peer, fabric.writeInline(context, peer, dst, dstOffset, value, bytes));
  }

  @Override
  public long atomicAdd(int context, int peer, Region dst, long dstOffset, long addend) {
    return posted(context, peer, fabric.atomicAdd(context, peer, dst, dstOffset, addend));
  }

  @Override
  public long read(
      int context, int peer, Region src, long srcOffset, Region dst, long dstOffset, long bytes) {
    return posted(context, peer, fabric.read(context, peer, src, srcOffset, dst, dstOffset, bytes));
  }

  @Override
  public void ring(int context, int peer) {
    LaneFaults lane = lanes[context * ranks() + peer];
    if (lane == null && isPaused()) {
      // A pause ends on its own, and then the ring must go out: the lane is watched from now on.
      lane = new LaneFaults(fabric, context, peer);
      lanes[context * ranks() + peer] = lane;
    }
    if (lane == null) {
      fabric.ring(context, peer);
    } else {
      lane.ring(fabric.clock().getAsLong(), isPaused());
    }
  }

  @Override
  public void poll(int context) {
    boolean pausedNow = isPaused();
    long now = fabric.clock().getAsLong();
    for (int peer = 0; peer < ranks(); peer++) {
      LaneFaults lane = lanes[context * ranks() + peer];
      if (lane != null) {
        lane.release(now, pausedNow);
      }
    }
    if (!pausedNow) {
      fabric.poll(context);
    }
  }

  @Override
  public long posted(int context, int peer) {
    return fabric.posted(context, peer);
  }

  @Override
  public long completed(int context, int peer) {
    LaneFaults lane = lanes[context * ranks() + peer];
    return lane == null ? fabric.completed(context, peer) : lane.completed();
  }

  @Override
  public int error(int context, int peer) {
    LaneFaults lane = lanes[context * ranks() + peer];
    return lane == null ? fabric.error(context, peer) : lane.error();
  }

  @Override
  public long failures() {
    return fabric.failures();
  }

  @Override
  public String name() {
    return fabric.name() + " with faults";
  }

  @Override
  public int rank() {
    return fabric.rank();
  }

  @Override
  public int ranks() {
    return fabric.ranks();
  }

  @Override
  public int contexts() {
    return fabric.contexts();
  }

  @Override
  public Axioms axioms() {
    return axioms;
  }

  @Override
  public int laneDepth() {
    return fabric.laneDepth();
  }

  @Override
  public Region register(String name, long bytes, RegionKind kind) {
    return fabric.register(name, bytes, kind);
  }

  @Override
  public Region register(String name, RegionMemory memory, RegionKind kind) {
    return fabric.register(name, memory, kind);
  }

  @Override
  public void progress() {
    fabric.progress();
  }

  @Override
  public LongSupplier clock() {
    return fabric.clock();
  }

  @Override
  public LaneControl laneControl() {
    return fabric.laneControl();
  }

  @Override
  public Optional<StepScheduler> scheduler() {
    return fabric.scheduler();
  }

  @Override
  public void close() {
    fabric.close();
  }
}
