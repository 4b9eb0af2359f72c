// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.emulated.plain;

import static dev.jgin.fabric.emulated.plain.PlainContext.ENTRY;

import dev.jgin.fabric.emulated.EmulatedOptions;
import dev.jgin.fabric.emulated.lane.Psn;
import dev.jgin.fabric.emulated.memory.RegionRegistry;
import dev.jgin.fabric.emulated.memory.Stores;
import dev.jgin.gin.spi.Axioms;
import dev.jgin.gin.spi.Bootstrap;
import dev.jgin.gin.spi.Fabric;
import dev.jgin.gin.spi.LaneControl;
import dev.jgin.gin.spi.LaneStatus;
import dev.jgin.gin.spi.Region;
import dev.jgin.gin.spi.RegionKind;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/**
 * One rank's end of a plain world. {@link #ring} performs what was posted, on the caller's thread.
 *
 * <p>A write of a granule of 8 bytes is one {@link MemorySegment#copy} between two release fences;
 * a larger granule costs ordered stores and is an option ({@code granule=64}).
 */
public final class PlainFabric implements Fabric {

  private static final int WRITE = 0;
  private static final int INLINE = 1;
  private static final int ATOMIC = 2;
  private static final int READ = 3;

  private final String name;
  private final PlainWorld world;
  private final int rank;
  private final int ranks;
  private final int depth;
  private final int mtuShift;
  private final int granule;
  private final RegionRegistry regions;
  private final PlainContext[] contexts;
  private final PlainLaneControl control;
  private final AtomicBoolean closed = new AtomicBoolean();

  /** The end of the rank behind {@code bootstrap}. */
  public PlainFabric(String name, PlainWorld world, Bootstrap bootstrap) {
    EmulatedOptions options = world.options();
    this.name = name;
    this.world = world;
    this.rank = bootstrap.rank();
    this.ranks = world.ranks();
    this.depth = options.depth();
    this.mtuShift = options.mtuShift();
    this.granule = options.granule();
    this.regions = new RegionRegistry(world.table(), bootstrap);
    this.contexts = new PlainContext[world.contexts()];
    this.control = new PlainLaneControl(world, rank);
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
    return ranks;
  }

  @Override
  public int contexts() {
    return contexts.length;
  }

  @Override
  public Axioms axioms() {
    return world.options().axioms();
  }

  @Override
  public int laneDepth() {
    return depth;
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
    return post(context, peer, header(WRITE, from, to), srcOffset, dstOffset, bytes);
  }

  @Override
  public long writeInline(
      int context, int peer, Region dst, long dstOffset, long value, int bytes) {
    int to = regions.checkInline(dst, dstOffset, bytes);
    return post(context, peer, header(INLINE, 0, to), value, dstOffset, bytes);
  }

  @Override
  public long atomicAdd(int context, int peer, Region dst, long dstOffset, long addend) {
    int to = regions.checkAtomic(dst, dstOffset);
    return post(context, peer, header(ATOMIC, 0, to), addend, dstOffset, Long.BYTES);
  }

  @Override
  public long read(
      int context, int peer, Region src, long srcOffset, Region dst, long dstOffset, long bytes) {
    int from = regions.check(src, srcOffset, bytes);
    int to = regions.check(dst, dstOffset, bytes);
    return post(context, peer, header(READ, from, to), srcOffset, dstOffset, bytes);
  }

  private static long header(int kind, int from, int to) {
    return ((long) kind << 32) | ((long) from << 16) | to;
  }

  private long post(int context, int peer, long header, long first, long dstOffset, long bytes) {
    PlainContext c = context(context);
    if (c.posted[peer] - c.reaped[peer] >= depth) {
      return FULL;
    }
    return c.post(peer, depth, header, first, dstOffset, bytes);
  }

  private PlainContext context(int context) {
    PlainContext c = contexts[context];
    if (c == null) {
      c = world.context(rank, context);
      contexts[context] = c;
    }
    return c;
  }

  @Override
  public void ring(int context, int peer) {
    PlainContext c = context(context);
    if (c.rung[peer] != c.posted[peer]) {
      c.rung[peer] = c.posted[peer];
      send(c, context, peer);
    }
  }

  private void send(PlainContext c, int context, int peer) {
    c.beginSend(peer);
    try {
      if (!world.anyClosed()) {
        perform(c, peer);
        return;
      }
      switch (control.route(context, peer)) {
        case SEND -> perform(c, peer);
        case FLUSH -> flush(c, peer);
        // The peer has not reconnected yet: poll tries again.
        case HOLD -> c.noteUnreaped(peer);
      }
    } finally {
      c.endSend(peer);
    }
  }

  /** Drops what was posted: it counts as completed and never takes effect. */
  private static void flush(PlainContext c, int peer) {
    c.rung[peer] = c.posted[peer];
    c.taken(peer, (int) (c.rung[peer] - c.sent[peer]));
  }

  private void perform(PlainContext c, int peer) {
    int n = (int) (c.rung[peer] - c.sent[peer]);
    long[] queue = c.queue(peer);
    long packets = 0;
    for (int at = 0; at < n * ENTRY; at += ENTRY) {
      long header = queue[at];
      int from = (int) (header >>> 16) & 0xffff;
      int to = (int) header & 0xffff;
      packets += perform(peer, (int) (header >>> 32), from, to, queue, at);
    }
    c.packets[peer] += packets;
    c.messages[peer] += n;
    c.taken(peer, n);
  }

  private long perform(int peer, int kind, int from, int to, long[] queue, int at) {
    long first = queue[at + 1];
    long offset = queue[at + 2];
    long bytes = queue[at + 3];
    switch (kind) {
      case WRITE ->
          copy(regions.segment(from, rank), first, regions.segment(to, peer), offset, bytes);
      case INLINE -> Stores.word(regions.segment(to, peer), offset, first, (int) bytes);
      case ATOMIC -> Stores.add(regions.segment(to, peer), offset, first);
      default -> copy(regions.segment(from, peer), first, regions.segment(to, rank), offset, bytes);
    }
    return kind == ATOMIC ? 1 : Psn.packets(bytes, mtuShift);
  }

  private void copy(
      MemorySegment from, long fromOffset, MemorySegment to, long toOffset, long bytes) {
    if (granule == Long.BYTES) {
      // After earlier stores of this thread and before later ones: A1w without a signal between.
      VarHandle.releaseFence();
      MemorySegment.copy(from, fromOffset, to, toOffset, bytes);
      VarHandle.releaseFence();
    } else {
      Stores.copyGranules(from, fromOffset, to, toOffset, bytes, granule);
    }
  }

  @Override
  public void poll(int context) {
    PlainContext c = context(context);
    c.noteFailures(failures());
    int n = c.beginReaping();
    for (int i = 0; i < n; i++) {
      int peer = c.unreaped(i);
      if (c.posted[peer] != c.sent[peer] && mustMove(c, context, peer)) {
        send(c, context, peer);
      }
      c.reaped[peer] = c.sent[peer];
    }
  }

  /** Whether unsent work is rung and was held back, or must be flushed. */
  private boolean mustMove(PlainContext c, int context, int peer) {
    return c.rung[peer] != c.sent[peer] || error(context, peer) != LaneStatus.OK.word();
  }

  @Override
  public long posted(int context, int peer) {
    return context(context).posted[peer];
  }

  @Override
  public long completed(int context, int peer) {
    return context(context).reaped[peer];
  }

  @Override
  public int error(int context, int peer) {
    return failures() == 0 ? LaneStatus.OK.word() : control.error(context, peer);
  }

  @Override
  public long failures() {
    return world.failures().get(rank);
  }

  @Override
  public void progress() {}

  @Override
  public LongSupplier clock() {
    return System::nanoTime;
  }

  @Override
  public LaneControl laneControl() {
    return control;
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      world.table().release(() -> {});
    }
  }
}
