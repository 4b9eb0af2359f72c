// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.emulated.plain;

import dev.jgin.fabric.emulated.lane.LaneAddress;
import dev.jgin.fabric.emulated.lane.LaneEnd;
import dev.jgin.fabric.emulated.lane.Psn;
import dev.jgin.gin.spi.LaneControl;
import dev.jgin.gin.spi.LaneSample;
import dev.jgin.gin.spi.LaneStatus;

/**
 * Recovery of plain lanes. A send is performed whole by one thread, so an end is drained as soon as
 * it is fenced: {@link #fence} waits for a send that is going on.
 */
final class PlainLaneControl implements LaneControl {

  private final PlainWorld world;
  private final int rank;

  PlainLaneControl(PlainWorld world, int rank) {
    this.world = world;
    this.rank = rank;
  }

  /** What becomes of a send while some end of some lane is closed. */
  enum Route {
    SEND,
    /** This end is closed: the work never takes effect. */
    FLUSH,
    /** The peer has not reconnected its end yet: try again later. */
    HOLD
  }

  Route route(int context, int peer) {
    synchronized (world) {
      LaneEnd mine = world.end(rank, context, peer);
      if (!mine.isOpen()) {
        return Route.FLUSH;
      }
      LaneEnd theirs = world.end(peer, context, rank);
      if (theirs.generation() < mine.generation()) {
        return Route.HOLD;
      }
      if (theirs.isOpen()) {
        return Route.SEND;
      }
      fail(mine, LaneStatus.RETRY_EXCEEDED);
      return Route.FLUSH;
    }
  }

  /** Notes a failure of an end of this rank. Under the world's monitor. */
  void fail(LaneEnd end, LaneStatus status) {
    boolean wasOpen = end.isOpen();
    if (end.fail(status)) {
      world.failures().incrementAndGet(rank);
    }
    if (wasOpen) {
      world.countClosed(1);
    }
  }

  int error(int context, int peer) {
    synchronized (world) {
      return end(context, peer).error();
    }
  }

  private LaneEnd end(int context, int peer) {
    return world.end(rank, context, peer);
  }

  @Override
  public void fence(int context, int peer) {
    LaneEnd end;
    synchronized (world) {
      end = end(context, peer);
      fail(end, LaneStatus.FENCED);
      if (!end.fence()) {
        return;
      }
    }
    PlainContext mine = world.context(rank, context);
    PlainContext theirs = world.context(peer, context);
    while (mine.isSending(peer) || theirs.isSending(rank)) {
      // Ends soon: whoever begins now sees the closed end.
      Thread.onSpinWait();
    }
    synchronized (world) {
      // Now, because nothing moves these numbers any more and reconnecting the peer resets them.
      end.freeze(sampleNow(context, peer, end, mine, theirs));
    }
  }

  private LaneSample sampleNow(
      int context, int peer, LaneEnd end, PlainContext mine, PlainContext theirs) {
    int next = Psn.add(end.initialPsn(), mine.packets[peer]);
    int expected = Psn.add(world.end(peer, context, rank).initialPsn(), theirs.packets[rank]);
    int messages = (int) (theirs.messages[rank] & Psn.MAX);
    return new LaneSample(end.generation(), next, next, expected, messages);
  }

  @Override
  public boolean drained(int context, int peer) {
    synchronized (world) {
      end(context, peer).requireFenced("asking whether it is drained");
      return true;
    }
  }

  @Override
  public LaneSample sample(int context, int peer) {
    synchronized (world) {
      return end(context, peer).sample();
    }
  }

  @Override
  public byte[] prepare(int context, int peer) {
    synchronized (world) {
      LaneEnd end = end(context, peer);
      int psn = world.options().initialPsn(rank, context, peer, end.generation() + 1);
      return end.prepare(psn).encode();
    }
  }

  @Override
  public void reconnect(int context, int peer, byte[] peerAddress) {
    synchronized (world) {
      LaneEnd end = end(context, peer);
      LaneAddress _ = end.checkConnect(peerAddress, true);
      world.context(rank, context).reset(peer);
      end.connect();
      world.countClosed(-1);
    }
  }

  @Override
  public long generation(int context, int peer) {
    synchronized (world) {
      return end(context, peer).generation();
    }
  }
}
