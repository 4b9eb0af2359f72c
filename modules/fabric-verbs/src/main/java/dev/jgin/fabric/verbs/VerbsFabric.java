// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.verbs;

import dev.jgin.fabric.verbs.RegionTable.Entry;
import dev.jgin.fabric.verbs.device.AsyncEvents;
import dev.jgin.fabric.verbs.device.Mtu;
import dev.jgin.fabric.verbs.queue.LaneTickets;
import dev.jgin.fabric.verbs.queue.Psn;
import dev.jgin.fabric.verbs.queue.WorkId;
import dev.jgin.gin.spi.Axiom;
import dev.jgin.gin.spi.Axioms;
import dev.jgin.gin.spi.Bootstrap;
import dev.jgin.gin.spi.Fabric;
import dev.jgin.gin.spi.LaneControl;
import dev.jgin.gin.spi.LaneStatus;
import dev.jgin.gin.spi.Region;
import dev.jgin.gin.spi.RegionKind;
import java.lang.foreign.ValueLayout;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/**
 * One rank's end over queue pairs: lane (context, peer) is a reliable-connected queue pair, the
 * lane of a rank to itself is one connected to itself.
 *
 * <h2>What it promises</h2>
 *
 * A1w, A1s, A4 and A6 with strictly ordered regions: a responder executes the packets of one queue
 * pair in order, and the bus keeps the order of writes without the relaxed-ordering attribute. With
 * {@code ro=on} data regions carry that attribute and A1w is not promised; signal regions never
 * carry it, and a strictly ordered write passes no earlier one, so A4 stays.
 *
 * <p>The granule is 64 bytes for an adapter on x86-64: its posted writes cover whole cache lines
 * and the root complex merges a line as one. That is how the hardware behaves and no standard
 * promises it; a protocol that leans on it should run beside the audit mode first. Of a driver in
 * the kernel (rxe) the copy into memory is the kernel's {@code memcpy}, of which only naturally
 * aligned words of 8 bytes come whole: 8, and ORDER_FREE is refused there.
 *
 * <h2>Threads</h2>
 *
 * As {@link Fabric} says. Nothing on the posting and polling path allocates or locks.
 */
public final class VerbsFabric implements Fabric {

  private static final int EVENT_PERIOD = 1024;

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
  private final AsyncEvents events;
  private final AtomicBoolean readingEvents = new AtomicBoolean();
  private final AtomicBoolean closed = new AtomicBoolean();
  private int untilEvents = EVENT_PERIOD;

  VerbsFabric(String name, VerbsOptions options, Bootstrap bootstrap, Resources resources) {
    this.name = name;
    this.rank = bootstrap.rank();
    this.ranks = bootstrap.ranks();
    this.depth = resources.settings.depth();
    this.mtuShift = Mtu.shift(resources.mtu);
    this.inlineBytes = resources.contexts[0].lane(0).pair().inlineBytes();
    this.axioms = axioms(options.relaxed(), resources.device.limits().software());
    this.resources = resources;
    this.contexts = resources.contexts;
    this.regions = new RegionTable(resources.device, bootstrap, resources.arena, options.relaxed());
    resources.regions = regions;
    this.control = new VerbsLaneControl(resources, rank, ranks);
    this.events = new AsyncEvents(resources.device, resources.arena);
  }

  static Axioms axioms(boolean relaxed, boolean software) {
    Axioms strict = Axioms.reliableConnected(software || !isX86() ? Long.BYTES : 64);
    return relaxed ? strict.without(Axiom.A1W) : strict;
  }

  private static boolean isX86() {
    return System.getProperty("os.arch").equals("amd64");
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
        bytes <= inlineBytes && bytes > 0,
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
  public long failures() {
    return resources.failures.get();
  }

  /** Looks for events of the device now and then: it costs a system call. */
  @Override
  public void progress() {
    if (!readingEvents.compareAndSet(false, true)) {
      return;
    }
    try {
      if (--untilEvents == 0) {
        untilEvents = EVENT_PERIOD;
        for (AsyncEvents.Event e = events.next(); e != null; e = events.next()) {
          note(e);
        }
      }
    } finally {
      readingEvents.set(false);
    }
  }

  private void note(AsyncEvents.Event event) {
    if (event.scope() == AsyncEvents.Scope.OTHER) {
      return;
    }
    for (VerbsContext context : contexts) {
      for (VerbsLane lane : context.lanes()) {
        if (event.scope() == AsyncEvents.Scope.DEVICE || event.concerns(lane.pair())) {
          lane.fail(LaneStatus.LOCAL_DEVICE, event.what(), 0, -1);
        }
      }
    }
  }

  @Override
  public LongSupplier clock() {
    return System::nanoTime;
  }

  @Override
  public LaneControl laneControl() {
    return control;
  }

  /** One line for banners: device, port, GID, MTU, depth. */
  public String describe() {
    return resources.device.name()
        + " port "
        + resources.port.number()
        + " ("
        + (resources.port.ethernet() ? "Ethernet" : "InfiniBand")
        + "), GID "
        + resources.settings.gidIndex()
        + " "
        + resources.address.gid()
        + ", path MTU "
        + resources.mtu
        + ", depth "
        + depth
        + ", inline "
        + inlineBytes;
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      resources.close();
    }
  }
}
