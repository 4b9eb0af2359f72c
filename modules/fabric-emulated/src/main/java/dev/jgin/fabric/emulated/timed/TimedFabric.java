// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.emulated.timed;

import dev.jgin.fabric.emulated.memory.RegionRegistry;
import dev.jgin.gin.spi.Axioms;
import dev.jgin.gin.spi.Bootstrap;
import dev.jgin.gin.spi.Fabric;
import dev.jgin.gin.spi.LaneControl;
import dev.jgin.gin.spi.Region;
import dev.jgin.gin.spi.RegionKind;
import dev.jgin.gin.spi.StepScheduler;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/**
 * One rank's end of a modelled world: posting fills a {@code LaneModel}, a scheduler moves it.
 *
 * <p>In virtual time one thread drives all ranks, best through {@link #scheduler()}; outside of it
 * each {@link #progress} delivers the next move.
 */
public final class TimedFabric implements Fabric {

  private final String name;
  private final TimedWorld world;
  private final int rank;
  private final RegionRegistry regions;
  private final TimedLaneControl control;
  private final LongSupplier clock;
  private final long[] seenCompletions;
  private final AtomicBoolean closed = new AtomicBoolean();

  /** The end of the rank behind {@code bootstrap}. */
  public TimedFabric(String name, TimedWorld world, Bootstrap bootstrap) {
    this.name = name;
    this.world = world;
    this.rank = bootstrap.rank();
    this.regions = new RegionRegistry(world.table(), bootstrap);
    this.control = new TimedLaneControl(world, rank);
    this.clock = world.scheduler() == null ? System::nanoTime : () -> world.firstTimeline().now();
    this.seenCompletions = new long[world.contexts()];
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public int rank() {
    return rank;
  }

  @Override
  public int ranks() {
    return world.ranks();
  }

  @Override
  public int contexts() {
    return world.contexts();
  }

  @Override
  public Axioms axioms() {
    return world.options().axioms();
  }

  @Override
  public int laneDepth() {
    return world.options().depth();
  }

  @Override
  public Region register(String regionName, long bytes, RegionKind kind) {
    return regions.register(regionName, bytes, kind);
  }

  @Override
  public long write(
      int context, int peer, Region src, long srcOffset, Region dst, long dstOffset, long bytes) {
    int from = regions.check(src, srcOffset, bytes);
    int to = regions.check(dst, dstOffset, bytes);
    TimedLane lane = world.lane(rank, context, peer);
    synchronized (lane.timeline) {
      return lane.model.postWrite(regions.isSignal(to), from, srcOffset, to, dstOffset, bytes);
    }
  }

  @Override
  public long writeInline(
      int context, int peer, Region dst, long dstOffset, long value, int bytes) {
    int to = regions.checkInline(dst, dstOffset, bytes);
    TimedLane lane = world.lane(rank, context, peer);
    synchronized (lane.timeline) {
      return lane.model.postInline(regions.isSignal(to), to, dstOffset, value, bytes);
    }
  }

  @Override
  public long atomicAdd(int context, int peer, Region dst, long dstOffset, long addend) {
    int to = regions.checkAtomic(dst, dstOffset);
    TimedLane lane = world.lane(rank, context, peer);
    synchronized (lane.timeline) {
      return lane.model.postAtomic(to, dstOffset, addend);
    }
  }

  @Override
  public long read(
      int context, int peer, Region src, long srcOffset, Region dst, long dstOffset, long bytes) {
    int from = regions.check(src, srcOffset, bytes);
    int to = regions.check(dst, dstOffset, bytes);
    TimedLane lane = world.lane(rank, context, peer);
    synchronized (lane.timeline) {
      return lane.model.postRead(from, srcOffset, to, dstOffset, bytes);
    }
  }

  @Override
  public void ring(int context, int peer) {
    TimedLane lane = world.laneIfUsed(rank, context, peer);
    if (lane == null) {
      return;
    }
    Timeline timeline = lane.timeline;
    synchronized (timeline) {
      if (world.threads() != null) {
        timeline.advanceTo(System.nanoTime());
      }
      lane.model.ring();
      timeline.kick(lane);
    }
  }

  @Override
  public void poll(int context) {
    if (world.threads() != null) {
      world.threads().check();
    }
    long completions = world.completions(rank, context);
    if (completions == seenCompletions[context] && failures() == 0) {
      return;
    }
    seenCompletions[context] = completions;
    for (int peer = 0; peer < world.ranks(); peer++) {
      TimedLane lane = world.laneIfUsed(rank, context, peer);
      if (lane != null) {
        synchronized (lane.timeline) {
          lane.model.reap();
        }
      }
    }
  }

  @Override
  public long posted(int context, int peer) {
    TimedLane lane = world.laneIfUsed(rank, context, peer);
    return lane == null ? 0 : lane.model.posted();
  }

  @Override
  public long completed(int context, int peer) {
    TimedLane lane = world.laneIfUsed(rank, context, peer);
    return lane == null ? 0 : lane.model.reaped();
  }

  @Override
  public int error(int context, int peer) {
    TimedLane lane = world.laneIfUsed(rank, context, peer);
    return lane == null ? 0 : lane.end.error();
  }

  @Override
  public long failures() {
    return world.failures().get(rank);
  }

  @Override
  public void progress() {
    if (world.scheduler() != null) {
      world.scheduler().progress();
    }
  }

  @Override
  public LongSupplier clock() {
    return clock;
  }

  @Override
  public LaneControl laneControl() {
    return control;
  }

  @Override
  public Optional<StepScheduler> scheduler() {
    return Optional.ofNullable(world.scheduler());
  }

  /** Moves delivered so far in virtual time, for measuring. */
  public long delivered() {
    return world.firstTimeline().delivered();
  }

  /** In virtual time, a hash of every move and step in order: equal for equal runs. */
  public long traceHash() {
    return world.firstTimeline().traceHash();
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      world.release();
    }
  }
}
