// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.verbs;

import dev.jgin.fabric.verbs.device.GracePeriod;
import dev.jgin.fabric.verbs.device.QueuePair;
import dev.jgin.fabric.verbs.queue.Psn;
import dev.jgin.fabric.verbs.wire.EndAddress;
import dev.jgin.gin.spi.LaneControl;
import dev.jgin.gin.spi.LaneSample;
import dev.jgin.gin.spi.LaneStatus;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Recovery of queue pairs. A fresh end is a fresh queue pair: its number and packet numbers are
 * new, so packets of the old one that are still under way reach nothing. The old one stays in the
 * error state until {@link #reconnect}.
 *
 * <p>What is posted before the peer has connected its end is sent again and again, as often as the
 * transport's retries allow ({@code retry} × {@code timeout} of the options), and then the lane
 * fails.
 *
 * <p>The thread that drives the context must not be inside the fabric while {@link #reconnect}
 * runs.
 */
final class VerbsLaneControl implements LaneControl {

  private final Resources resources;
  private final int rank;
  private final int ranks;
  private final long[] reads;

  VerbsLaneControl(Resources resources, int rank, int ranks) {
    this.resources = resources;
    this.rank = rank;
    this.ranks = ranks;
    this.reads = new long[resources.contexts.length * ranks];
  }

  private VerbsLane lane(int context, int peer) {
    return resources.contexts[context].lane(peer);
  }

  @Override
  public void fence(int context, int peer) {
    VerbsLane lane = lane(context, peer);
    // The word first: a post that comes between is dropped here and never reaches the device.
    lane.fail(LaneStatus.FENCED, "fence", 0, -1);
    if (lane.state() == VerbsLane.State.CONNECTED) {
      lane.pair().fail();
      lane.fenced();
      reads[context * ranks + peer] = -1;
    }
  }

  @Override
  public boolean drained(int context, int peer) {
    VerbsLane lane = lane(context, peer);
    lane.requireFenced("asking whether it is drained");
    if (lane.isDrained()) {
      return true;
    }
    int index = context * ranks + peer;
    if (reads[index] < 0) {
      reads[index] = resources.drain.send();
    }
    if (reads[index] >= 0 && resources.drain.landed(reads[index])) {
      if (resources.device.limits().software()) {
        // The error state does not wait for a task of the driver that runs on another processor: it
        // may still copy a packet that it took before, and count it behind our sample. Not by
        // RESET:
        // on Linux 6.1 that takes the memory region away under such a task, which ends the kernel.
        GracePeriod.await();
      }
      lane.drained();
    }
    return lane.isDrained();
  }

  @Override
  public LaneSample sample(int context, int peer) {
    VerbsLane lane = lane(context, peer);
    lane.requireFenced("sampling");
    return lane.sample();
  }

  @Override
  public byte[] prepare(int context, int peer) {
    VerbsLane lane = lane(context, peer);
    lane.requireFenced("preparing a fresh end");
    int psn = ThreadLocalRandom.current().nextInt(Psn.MAX + 1);
    QueuePair fresh = resources.queuePair(resources.contexts[context].completions(), psn);
    lane.prepared(fresh);
    return new EndAddress(
            rank,
            context,
            peer,
            lane.generation() + 1,
            fresh.number(),
            psn,
            resources.address.withMtu(resources.mtu))
        .encode();
  }

  @Override
  public void reconnect(int context, int peer, byte[] peerAddress) {
    VerbsLane lane = lane(context, peer);
    lane.requireFenced("reconnecting");
    if (lane.state() != VerbsLane.State.PREPARED) {
      throw new IllegalStateException(
          lane.describe() + " is not prepared: prepare it before reconnecting");
    }
    EndAddress theirs = EndAddress.decode(peerAddress);
    if (theirs.rank() != peer || theirs.context() != context || theirs.peer() != rank) {
      throw new IllegalStateException(
          lane.describe() + " cannot connect to another lane: " + theirs);
    }
    if (theirs.generation() != lane.generation() + 1) {
      throw new IllegalStateException(
          lane.describe()
              + " needs an address of generation "
              + (lane.generation() + 1)
              + ": "
              + theirs);
    }
    if (!lane.isDrained()) {
      throw new IllegalStateException(
          lane.describe()
              + " is not drained: its effects would land in the next generation; wait"
              + " for drained()");
    }
    if (theirs.port().mtu() != resources.mtu) {
      throw new IllegalStateException(
          lane.describe()
              + " has a path MTU of "
              + resources.mtu
              + " bytes, but its peer's end one of "
              + theirs.port().mtu()
              + ": packets would be counted wrongly; open the fabric anew on both ranks");
    }
    lane.next().connect(theirs.port(), theirs.qpn(), theirs.psn(), resources.mtu);
    lane.reconnected();
  }

  @Override
  public long generation(int context, int peer) {
    return lane(context, peer).generation();
  }
}
