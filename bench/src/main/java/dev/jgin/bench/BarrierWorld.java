// SPDX-License-Identifier: Apache-2.0
package dev.jgin.bench;

import dev.jgin.gin.Barrier;
import dev.jgin.gin.BarrierOptions;
import dev.jgin.gin.BarrierProtocol;
import dev.jgin.gin.Communicator;
import dev.jgin.gin.CommunicatorOptions;
import dev.jgin.gin.Context;
import dev.jgin.gin.DeadlineException;
import dev.jgin.gin.FenceLevel;
import dev.jgin.gin.FreshnessCheck;
import dev.jgin.gin.LocalWorld;
import dev.jgin.gin.Window;
import dev.jgin.gin.spi.FabricSpec;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.Optional;

/**
 * All ranks of one barrier on one thread. In each epoch every rank puts one line of 64 bytes to
 * every peer, on a context that rotates, and passes the barrier.
 */
final class BarrierWorld implements AutoCloseable {
  private static final VarHandle TAG = ValueLayout.JAVA_LONG.varHandle();
  private static final long LINE = 64;
  private static final long TAG_AT = LINE - Long.BYTES;

  /** One rank; both windows alternate by epoch parity, as receive buffers do. */
  private record Rank(Communicator comm, Window send, Window receive, Barrier barrier) {}

  private final LocalWorld world;
  private final List<Rank> ranks;
  private final boolean[] passed;

  BarrierWorld(String fabric, BarrierProtocol protocol, int contexts, int size) {
    // Unsound protocols are what the sound ones are compared with.
    CommunicatorOptions options = CommunicatorOptions.defaults().withAllowUnsound(true);
    this.world = LocalWorld.open(FabricSpec.parse(fabric, contexts, 1L), size, options);
    this.ranks = world.onEachRank(comm -> rank(comm, protocol));
    this.passed = new boolean[size];
  }

  private static Rank rank(Communicator comm, BarrierProtocol protocol) {
    Window send = comm.registerWindow("send", 2 * LINE);
    Window receive = comm.registerWindow("receive", 2 * LINE * comm.size());
    FreshnessCheck tagged =
        (member, rows, epoch) -> {
          long line = slot(epoch, comm.size(), member);
          return rows == 0 || (long) TAG.getAcquire(receive.local(), line + TAG_AT) == epoch;
        };
    BarrierOptions options = new BarrierOptions(protocol, FenceLevel.PUT, 0L, Optional.of(tagged));
    return new Rank(comm, send, receive, comm.barrier("epoch", comm.world(), options));
  }

  private static long slot(long epoch, int size, int source) {
    return ((epoch & 1) * size + source) * LINE;
  }

  /** One epoch of every rank. Allocates nothing. */
  void epoch() {
    for (int r = 0; r < ranks.size(); r++) {
      putAndArrive(ranks.get(r));
      passed[r] = false;
    }
    long start = ranks.getFirst().comm.nowNanos();
    int left = ranks.size();
    while (left > 0) {
      for (int r = 0; r < ranks.size(); r++) {
        Rank rank = ranks.get(r);
        if (!passed[r] && rank.barrier.poll()) {
          passed[r] = true;
          left--;
        } else {
          rank.comm.progress();
        }
      }
      expire(start);
    }
  }

  private void putAndArrive(Rank rank) {
    int self = rank.comm.rank();
    long epoch = rank.barrier.epoch() + 1;
    long source = (epoch & 1) * LINE;
    long target = slot(epoch, ranks.size(), self);
    TAG.set(rank.send.local(), source + TAG_AT, epoch);
    long start = rank.comm.nowNanos();
    for (int peer = 0; peer < ranks.size(); peer++) {
      if (peer == self) {
        continue;
      }
      Context context = rank.comm.context((int) ((epoch + peer) % rank.comm.contexts()));
      while (!context.tryPut(peer, rank.receive, target, rank.send, source, LINE)) {
        progressAll();
        expire(start);
      }
      rank.barrier.count(peer, 1);
    }
    while (!rank.barrier.tryArrive()) {
      progressAll();
      expire(start);
    }
  }

  private void progressAll() {
    for (int r = 0; r < ranks.size(); r++) {
      ranks.get(r).comm.progress();
    }
  }

  private void expire(long start) {
    Communicator comm = ranks.getFirst().comm;
    if (comm.nowNanos() - start > comm.options().timeoutNanos()) {
      throw new DeadlineException(comm.rank(), "one epoch", comm.options().timeoutNanos());
    }
  }

  @Override
  public void close() {
    world.close();
  }
}
