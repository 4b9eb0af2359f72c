// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gpu.proxy;

import dev.jgin.gin.Barrier;
import dev.jgin.gin.Communicator;
import dev.jgin.gin.DeadlineException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * The operations of one stream, one at a time: take the rings' descriptors until each has brought
 * its ARRIVE, run the barrier, wait until own puts are complete, tell the kernels. One phase a
 * step. Allocates only to throw.
 */
final class ProxyOperation {
  private static final VarHandle DESCRIPTORS;

  static {
    try {
      DESCRIPTORS =
          MethodHandles.lookup().findVarHandle(ProxyOperation.class, "descriptors", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Communicator comm;
  private final int stream;
  private final long timeoutNanos;
  private final int batch;
  private final ProxyWords words;
  private final Barrier[] barriers;
  private final RingPump[] pumps;
  private final long[] puts;
  private volatile ProxyPhase phase = ProxyPhase.IDLE;
  private int first;
  private int drained;
  private Barrier barrier;
  private boolean stalled;
  private boolean waiting;
  private long waitingSince;

  @SuppressWarnings("unused") // by its handle: other threads may look
  private long descriptors;

  ProxyOperation(Communicator comm, ProxyOptions options, ProxyStreamSpec spec, ProxyWords words) {
    this.comm = comm;
    this.stream = spec.stream();
    this.timeoutNanos = options.timeoutNanos();
    this.batch = options.batch();
    this.words = words;
    this.barriers = new Barrier[] {spec.dispatch(), spec.combine()};
    this.puts = new long[comm.size()];
    this.pumps = new RingPump[spec.rings().size()];
    for (int i = 0; i < pumps.length; i++) {
      pumps[i] = pump(spec, spec.rings().get(i));
    }
    for (int kind = 0; kind < barriers.length; kind++) {
      words.reset(kind, barriers[kind].epoch());
    }
  }

  private RingPump pump(ProxyStreamSpec spec, RingMemory ring) {
    if (ring.context() < 0
        || ring.context() >= comm.contexts()
        || ring.peer() < 0
        || ring.peer() >= comm.size()) {
      throw new IllegalArgumentException(
          ring.name()
              + ": there are "
              + comm.contexts()
              + " contexts and "
              + comm.size()
              + " ranks");
    }
    for (Barrier each : barriers) {
      if (each.team().memberOf(ring.peer()) < 0) {
        throw new IllegalArgumentException(
            ring.name() + ": its peer is not in the team of the stream's barriers");
      }
    }
    return new RingPump(
        ring,
        new ProxyRing(ring),
        new DescriptorChecks(comm.rank(), stream, ring, spec.windows(), barriers),
        new LanePoster(comm, spec.windows(), ring));
  }

  ProxyPhase phase() {
    return phase;
  }

  /** Whether the operation, or one of its rings beside busy ones, waits for the carrier. */
  boolean waits() {
    return waiting || stalled;
  }

  long descriptors() {
    return (long) DESCRIPTORS.getOpaque(this);
  }

  /** One step; whether anything moved. */
  boolean step() {
    boolean moved =
        switch (phase) {
          case IDLE, GATHERING -> gather();
          case ARRIVING -> arrive();
          case WAITING -> await();
          case DRAINING -> drain();
          case FAILED -> false;
        };
    if (moved) {
      waiting = false;
    } else if (phase != ProxyPhase.IDLE) {
      expire();
    }
    return moved;
  }

  private boolean gather() {
    int taken = 0;
    boolean all = true;
    stalled = false;
    // Another ring first in each step: the last one must not starve behind busy ones.
    for (int i = 0; i < pumps.length; i++) {
      RingPump pump = pumps[(first + i) % pumps.length];
      taken += pump.pump(batch);
      all &= pump.arrived();
      stalled |= pump.stalled();
    }
    first = (first + 1) % pumps.length;
    if (taken > 0) {
      DESCRIPTORS.setOpaque(this, descriptors + taken);
      phase = ProxyPhase.GATHERING;
    }
    if (all) {
      announce();
      phase = ProxyPhase.ARRIVING;
    }
    return taken > 0;
  }

  /** Tells the barrier how much went to whom. */
  private void announce() {
    int kind = pumps[0].operation();
    Arrays.fill(puts, 0);
    for (RingPump pump : pumps) {
      if (pump.operation() != kind) {
        throw pump.disagrees(
            comm.rank(), stream, "ARRIVE: the other rings have arrived at another operation");
      }
      puts[pump.lane().peer()] += pump.puts();
    }
    barrier = barriers[kind];
    for (int member = 0; member < barrier.team().size(); member++) {
      barrier.count(member, puts[barrier.team().worldRank(member)]);
    }
  }

  private boolean arrive() {
    if (!barrier.tryArrive()) {
      return false;
    }
    phase = ProxyPhase.WAITING;
    return true;
  }

  private boolean await() {
    if (!barrier.poll()) {
      return false;
    }
    drained = 0;
    phase = ProxyPhase.DRAINING;
    return true;
  }

  private boolean drain() {
    for (; drained < pumps.length; drained++) {
      if (!pumps[drained].complete()) {
        return false;
      }
    }
    // On a lane in error everything counts as complete: its rows may never have arrived.
    comm.checkLanes();
    int kind = pumps[0].operation();
    for (RingPump pump : pumps) {
      pump.release();
    }
    phase = ProxyPhase.IDLE;
    words.pass(kind, barrier.epoch());
    return true;
  }

  private void expire() {
    long now = comm.nowNanos();
    if (!waiting) {
      waiting = true;
      waitingSince = now;
    } else if (now - waitingSince >= timeoutNanos) {
      throw new DeadlineException(
          comm.rank(), "proxy of stream " + stream + ", " + phase + ": " + missing(), timeoutNanos);
    }
  }

  private String missing() {
    return switch (phase) {
      case ARRIVING, WAITING -> barrier.waitingFor();
      case DRAINING -> "completions of puts:" + outstanding();
      default -> "ARRIVE of" + unarrived();
    };
  }

  private String unarrived() {
    StringBuilder out = new StringBuilder();
    for (RingPump pump : pumps) {
      if (!pump.arrived()) {
        out.append(" [").append(pump.describe()).append(']');
      }
    }
    return out.toString();
  }

  private String outstanding() {
    StringBuilder out = new StringBuilder();
    for (RingPump pump : pumps) {
      LanePoster lane = pump.lane();
      if (lane.outstanding() > 0) {
        out.append(" [context ").append(lane.context()).append(", peer ").append(lane.peer());
        out.append(": ").append(lane.outstanding()).append(']');
      }
    }
    return out.toString();
  }

  /** Ends it; the kernels are told. */
  void fail(RuntimeException why) {
    phase = ProxyPhase.FAILED;
    for (Barrier each : barriers) {
      each.poison("the proxy of stream " + stream + " failed: " + why.getMessage());
    }
    words.fail(why);
  }
}
