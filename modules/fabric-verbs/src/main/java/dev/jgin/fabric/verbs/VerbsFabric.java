// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.verbs;

import dev.jgin.fabric.verbs.RegionTable.Entry;
import dev.jgin.fabric.verbs.device.Mtu;
import dev.jgin.fabric.verbs.queue.LaneTickets;
import dev.jgin.fabric.verbs.queue.Psn;
import dev.jgin.fabric.verbs.queue.WorkId;
import dev.jgin.fabric.verbs.wire.Exchange;
import dev.jgin.gin.spi.Axioms;
import dev.jgin.gin.spi.Fabric;
import dev.jgin.gin.spi.LaneControl;
import dev.jgin.gin.spi.LaneStatus;
import dev.jgin.gin.spi.Region;
import dev.jgin.gin.spi.RegionKind;
import dev.jgin.gin.spi.RegionMemory;
import java.lang.foreign.ValueLayout;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/**
 * One rank's end over queue pairs: lane (context, peer) is a reliable-connected queue pair, the
 * lane of a rank to itself is one connected to itself.
 *
 * <p>What it promises depends on its options and its device: {@link VerbsAxioms}.
 *
 * <h2>Threads</h2>
 *
 * As {@link Fabric} says. Nothing on the posting and polling path allocates or locks.
 */
public final class VerbsFabric implements Fabric {

  private final String name;
  private final int rank;
  private final int ranks;
  private final int depth;
  private final int mtuShift;
  private final int inlineBytes;
  private final Axioms axioms;
  private final Resources resources;
  private final VerbsContext[] contexts;
  private final RegionTable regions;
  private final VerbsLaneControl control;
  private final EventWatch watch;
  private final AtomicBoolean closed = new AtomicBoolean();

  VerbsFabric(String name, VerbsOptions options, Exchange exchange, Resources resources) {
    this.name = name;
    this.rank = exchange.bootstrap().rank();
    this.ranks = exchange.bootstrap().ranks();
    this.depth = resources.settings.depth();
    this.mtuShift = Mtu.shift(resources.mtu);
    this.inlineBytes = resources.contexts[0].lane(0).pair().inlineBytes();
    this.axioms = VerbsAxioms.of(options.relaxed(), resources.device.limits().software());
    this.resources = resources;
    this.contexts = resources.contexts;
    this.regions = new RegionTable(resources.device, exchange, resources.arena, options.relaxed());
    resources.regions = regions;
    this.control = new VerbsLaneControl(resources, rank, ranks);
    this.watch = new EventWatch(resources);
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
    return axioms;
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
  public Region register(String regionName, RegionMemory memory, RegionKind kind) {
    return regions.register(regionName, memory, kind);
  }

  @Override
  public long write(
      int context, int peer, Region src, long srcOffset, Region dst, long dstOffset, long bytes) {
    Entry from = regions.check(src, srcOffset, bytes);
    Entry to = regions.check(dst, dstOffset, bytes);
    VerbsLane lane = lane(context, peer);
    checkMessage(bytes);
    LaneTickets tickets = lane.tickets;
    if (tickets.full()) {
      return FULL;
    }
    long ticket = tickets.take(Psn.packets(bytes, mtuShift));
    int slot = tickets.slot(ticket);
    lane.ring.write(
        slot,
        WorkId.of(lane.generation(), peer, ticket),
        // The provider's CPU copies an inline payload, and cannot read memory of a GPU.
        bytes <= inlineBytes && bytes > 0 && from.host(),
        from.address(rank) + srcOffset,
        from.lkey(),
        to.address(peer) + dstOffset,
        to.rkey(peer),
        bytes);
    return posted(lane, ticket, slot);
  }

  @Override
  public long writeInline(
      int context, int peer, Region dst, long dstOffset, long value, int bytes) {
    Entry to = regions.checkInline(dst, dstOffset, bytes);
    VerbsLane lane = lane(context, peer);
    LaneTickets tickets = lane.tickets;
    if (tickets.full()) {
      return FULL;
    }
    long ticket = tickets.take(1);
    int slot = tickets.slot(ticket);
    long at = resources.payload(context, peer, slot);
    resources.staging().set(ValueLayout.JAVA_LONG, at, value);
    lane.ring.write(
        slot,
        WorkId.of(lane.generation(), peer, ticket),
        bytes <= inlineBytes,
        resources.staging().address() + at,
        resources.stagingLkey(),
        to.address(peer) + dstOffset,
        to.rkey(peer),
        bytes);
    return posted(lane, ticket, slot);
  }

  @Override
  public long atomicAdd(int context, int peer, Region dst, long dstOffset, long addend) {
    Entry to = regions.checkAtomic(dst, dstOffset);
    VerbsLane lane = lane(context, peer);
    LaneTickets tickets = lane.tickets;
    if (tickets.full()) {
      return FULL;
    }
    long ticket = tickets.take(1);
    int slot = tickets.slot(ticket);
    lane.ring.fetchAndAdd(
        slot,
        WorkId.of(lane.generation(), peer, ticket),
        resources.staging().address() + resources.result(context),
        resources.stagingLkey(),
        to.address(peer) + dstOffset,
        to.rkey(peer),
        addend);
    return posted(lane, ticket, slot);
  }

  @Override
  public long read(
      int context, int peer, Region src, long srcOffset, Region dst, long dstOffset, long bytes) {
    Entry from = regions.check(src, srcOffset, bytes);
    Entry to = regions.check(dst, dstOffset, bytes);
    VerbsLane lane = lane(context, peer);
    checkMessage(bytes);
    LaneTickets tickets = lane.tickets;
    if (tickets.full()) {
      return FULL;
    }
    long ticket = tickets.take(Psn.packets(bytes, mtuShift));
    int slot = tickets.slot(ticket);
    lane.ring.read(
        slot,
        WorkId.of(lane.generation(), peer, ticket),
        to.address(rank) + dstOffset,
        to.lkey(),
        from.address(peer) + srcOffset,
        from.rkey(peer),
        bytes);
    return posted(lane, ticket, slot);
  }

  private static long posted(VerbsLane lane, long ticket, int slot) {
    if (lane.tickets.signalled(ticket)) {
      lane.ring.signal(slot);
    }
    return ticket;
  }

  private void checkMessage(long bytes) {
    if (bytes > resources.port.messageBytes()) {
      throw new IllegalArgumentException(
          "a message of "
              + bytes
              + " bytes: port "
              + resources.port.number()
              + " of device '"
              + resources.device.name()
              + "' carries at most "
              + resources.port.messageBytes()
              + ": split it");
    }
  }

  /** The lane; every array here has exactly the lanes that exist, so bounds are checked by it. */
  private VerbsLane lane(int context, int peer) {
    return contexts[context].lane(peer);
  }

  @Override
  public void ring(int context, int peer) {
    lane(context, peer).ring();
  }

  @Override
  public void poll(int context) {
    contexts[context].poll(resources.failures.get() != 0);
  }

  @Override
  public long posted(int context, int peer) {
    return lane(context, peer).tickets.posted();
  }

  @Override
  public long completed(int context, int peer) {
    return lane(context, peer).tickets.completed();
  }

  @Override
  public int error(int context, int peer) {
    LaneError error = lane(context, peer).error();
    return error == null ? LaneStatus.OK.word() : error.status().word();
  }

  /** The lane's first failure with the status and vendor code of its completion, if it failed. */
  public Optional<LaneError> laneError(int context, int peer) {
    return Optional.ofNullable(lane(context, peer).error());
  }

  /**
   * Number of the queue pair of this end of a lane: the destination of the peer's packets, by which
   * packet filters and counters of the network know the lane.
   */
  public int queuePairNumber(int context, int peer) {
    return lane(context, peer).pair().number();
  }

  @Override
  public String errorDetail(int context, int peer) {
    LaneError error = lane(context, peer).error();
    return error == null ? "" : error.detail();
  }

  @Override
  public String laneName(int context, int peer) {
    return "device=" + resources.device.name() + " qpn=" + queuePairNumber(context, peer);
  }

  @Override
  public long failures() {
    return resources.failures.get();
  }

  @Override
  public void progress() {
    watch.turn();
  }

  @Override
  public LongSupplier clock() {
    return System::nanoTime;
  }

  @Override
  public LaneControl laneControl() {
    return control;
  }

  /** One line for banners: device, port, GID, MTU, depth, which calls are critical. */
  @Override
  public String describe() {
    return resources.describe() + ", inline " + inlineBytes + ", " + resources.device.calls();
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      resources.close();
    }
  }
}
