// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.emulated.timed;

import dev.jgin.fabric.emulated.lane.LaneAddress;
import dev.jgin.fabric.emulated.lane.LaneEnd;
import dev.jgin.gin.spi.LaneControl;
import dev.jgin.gin.spi.LaneSample;
import dev.jgin.gin.spi.LaneStatus;

/**
 * Recovery of modelled lanes. An end is the sender of one direction and the receiver of the other;
 * the two may belong to different timelines, whose monitors are entered one after the other.
 */
final class TimedLaneControl implements LaneControl {

  private final TimedWorld world;
  private final int rank;

  TimedLaneControl(TimedWorld world, int rank) {
    this.world = world;
    this.rank = rank;
  }

  private TimedLane out(int context, int peer) {
    return world.lane(rank, context, peer);
  }

  private TimedLane in(int context, int peer) {
    return world.lane(peer, context, rank);
  }

  @Override
  public void fence(int context, int peer) {
    TimedLane out = out(context, peer);
    TimedLane in = in(context, peer);
    int nextPsn;
    int ackedPsn;
    synchronized (out.timeline) {
      if (!out.end.fence()) {
        return;
      }
      out.model.closeSender();
      out.timeline.fail(out, LaneStatus.FENCED);
      nextPsn = out.model.packets().next();
      ackedPsn = out.model.packets().acked();
    }
    synchronized (in.timeline) {
      long part = in.model.closeReceiver(in.delays.losesAcks(), in.delays.partPackets());
      if (part >= 0) {
        in.timeline.scheduleEffects(in, part);
      }
      in.timeline.giveUpIfStuck(in);
      out.end.freeze(
          new LaneSample(
              out.end.generation(),
              nextPsn,
              ackedPsn,
              in.model.packets().expected(),
              in.model.packets().messages()));
    }
  }

  @Override
  public boolean drained(int context, int peer) {
    out(context, peer).end.requireFenced("asking whether it is drained");
    return inDrained(in(context, peer));
  }

  private static boolean inDrained(TimedLane in) {
    synchronized (in.timeline) {
      return in.model.isDrained();
    }
  }

  @Override
  public LaneSample sample(int context, int peer) {
    return out(context, peer).end.sample();
  }

  @Override
  public byte[] prepare(int context, int peer) {
    TimedLane out = out(context, peer);
    long next = out.end.generation() + 1;
    return out.end.prepare(world.options().initialPsn(rank, context, peer, next)).encode();
  }

  @Override
  public void reconnect(int context, int peer, byte[] peerAddress) {
    TimedLane out = out(context, peer);
    TimedLane in = in(context, peer);
    LaneEnd end = out.end;
    LaneAddress address = end.checkConnect(peerAddress, inDrained(in));
    // The error word first: a peer that still saw it would take the fresh receiver for a dead one.
    synchronized (out.timeline) {
      end.connect();
      out.model.openSender(end.initialPsn());
    }
    synchronized (in.timeline) {
      in.model.openReceiver(address.initialPsn());
      in.timeline.kick(in);
    }
  }

  @Override
  public long generation(int context, int peer) {
    return out(context, peer).end.generation();
  }
}
