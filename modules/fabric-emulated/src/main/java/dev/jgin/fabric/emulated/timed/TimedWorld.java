// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.emulated.timed;

import dev.jgin.fabric.emulated.EmulatedOptions;
import dev.jgin.fabric.emulated.EmulatedOptions.Mode;
import dev.jgin.fabric.emulated.lane.LaneEnd;
import dev.jgin.fabric.emulated.lane.LaneModel;
import dev.jgin.fabric.emulated.lane.Seeded;
import dev.jgin.fabric.emulated.memory.HostMemory;
import dev.jgin.fabric.emulated.memory.RegionTable;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** What the ranks of one modelled world share: memory, lanes and the order of their moves. */
public final class TimedWorld {

  private final EmulatedOptions options;
  private final int ranks;
  private final int contexts;
  private final RegionTable table;
  private final HostMemory[] memories;
  private final AtomicReferenceArray<TimedLane> lanes;
  private final AtomicLongArray failures;
  private final AtomicLongArray completions;
  private final Timeline[] timelines;
  private final VirtualScheduler scheduler;
  private final DeliveryThreads threads;

  /** A world that all ranks share. */
  public TimedWorld(EmulatedOptions options, int ranks, int contexts) {
    this.options = options;
    this.ranks = ranks;
    this.contexts = contexts;
    this.table = new RegionTable(ranks);
    this.memories = new HostMemory[ranks];
    for (int r = 0; r < ranks; r++) {
      memories[r] = new HostMemory(table, r, options.granule());
    }
    this.lanes = new AtomicReferenceArray<>(Math.multiplyExact(ranks * contexts, ranks));
    this.failures = new AtomicLongArray(ranks);
    this.completions = new AtomicLongArray(ranks * contexts);
    this.timelines = new Timeline[Math.max(1, options.threads())];
    Watcher watcher = new Watcher();
    for (int i = 0; i < timelines.length; i++) {
      timelines[i] = new Timeline(options.rules(), watcher);
    }
    boolean virtual = options.threads() == 0;
    this.scheduler = virtual ? new VirtualScheduler(timelines[0], ranks, options.seed()) : null;
    this.threads = virtual ? null : new DeliveryThreads(timelines);
  }

  EmulatedOptions options() {
    return options;
  }

  int ranks() {
    return ranks;
  }

  int contexts() {
    return contexts;
  }

  RegionTable table() {
    return table;
  }

  AtomicLongArray failures() {
    return failures;
  }

  /** Null when threads deliver. */
  VirtualScheduler scheduler() {
    return scheduler;
  }

  /** Null in virtual time. */
  DeliveryThreads threads() {
    return threads;
  }

  Timeline firstTimeline() {
    return timelines[0];
  }

  /** Grows with each completion on any lane of a context: says whether polling is worth it. */
  long completions(int rank, int context) {
    return completions.get(rank * contexts + context);
  }

  /** The lane from a rank to another on a context, or null if it was never used. */
  TimedLane laneIfUsed(int from, int context, int to) {
    return lanes.get(index(from, context, to));
  }

  /** The lane from {@code source} to {@code target} on a context, made on first use. */
  TimedLane lane(int source, int context, int target) {
    int index = index(source, context, target);
    TimedLane known = lanes.get(index);
    if (known != null) {
      return known;
    }
    TimedLane fresh = make(source, context, target, index);
    return lanes.compareAndSet(index, null, fresh) ? fresh : lanes.get(index);
  }

  private int index(int source, int context, int target) {
    if (context < 0 || context >= contexts || target < 0 || target >= ranks) {
      throw new IndexOutOfBoundsException(
          "lane (context "
              + context
              + ", peer "
              + target
              + ") with "
              + contexts
              + " contexts and "
              + ranks
              + " ranks");
    }
    return (source * contexts + context) * ranks + target;
  }

  private TimedLane make(int source, int context, int target, int index) {
    long seed = Seeded.mix(options.seed() + 0x1000003L * index);
    int psn = options.initialPsn(source, context, target, 1);
    LaneModel model = new LaneModel(options.rules(), memories[source], memories[target], psn, seed);
    LaneDelays delays = new LaneDelays(options.mode() == Mode.ADVERSARIAL, ~seed);
    // All lanes of one context of one rank share a timeline: one lock for one poller.
    Timeline timeline = timelines[(source * contexts + context) % timelines.length];
    LaneEnd end = new LaneEnd(source, context, target, psn);
    return new TimedLane(source, context, target, index, model, delays, timeline, end);
  }

  /** One rank has closed. */
  void release() {
    // The delivering threads store into the memory: they stop before it goes.
    table.release(this::stop);
  }

  private void stop() {
    if (threads != null) {
      threads.stop();
    }
  }

  private final class Watcher implements LaneWatcher {

    @Override
    public void moved(int rank) {
      if (scheduler != null) {
        scheduler.wake(rank);
      }
    }

    @Override
    public void completed(TimedLane lane) {
      completions.incrementAndGet(lane.source * contexts + lane.context);
    }

    @Override
    public void failed(TimedLane lane) {
      failures.incrementAndGet(lane.source);
    }

    @Override
    public boolean targetFailed(TimedLane lane) {
      TimedLane back = laneIfUsed(lane.target, lane.context, lane.source);
      return back != null && back.end.error() != 0;
    }
  }
}
