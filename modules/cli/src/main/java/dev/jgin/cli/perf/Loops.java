// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.perf;

import dev.jgin.cli.UsageException;
import dev.jgin.cli.perf.loop.AtomicStream;
import dev.jgin.cli.perf.loop.Loop;
import dev.jgin.cli.perf.loop.PutPingPong;
import dev.jgin.cli.perf.loop.PutStream;
import dev.jgin.cli.perf.loop.SignalPingPong;
import dev.jgin.cli.perf.loop.Slots;
import dev.jgin.gin.LocalWorld;
import java.util.List;

/** Makes the loops of the tests between two ranks. Stateless. */
final class Loops {
  private Loops() {}

  /** One loop for each rank. */
  static List<? extends Loop> of(PerfJob job, LocalWorld world, int depth) {
    return switch (job.test()) {
      case PUT_LAT -> world.onEachRank(comm -> new PutPingPong(comm, job.mostBytes(), job.seed()));
      case SIGNAL_LAT -> world.onEachRank(SignalPingPong::new);
      case ATOMIC_LAT -> {
        long[] sent = new long[job.contexts()];
        yield world.onEachRank(comm -> new AtomicStream(comm, sent));
      }
      case PUT_BW -> {
        Slots slots = new Slots(job.contexts(), depth, job.sizes());
        yield world.onEachRank(comm -> new PutStream(comm, slots, job.seed()));
      }
      case BARRIER_LAT -> throw new IllegalArgumentException("a barrier has a loop per protocol");
    };
  }

  /**
   * Refuses windows that are larger than {@code most} in all.
   *
   * @throws UsageException naming the bytes, the limit and the remedy
   */
  static void requireMemory(PerfJob job, long most) {
    long perRank =
        switch (job.test()) {
          case PUT_LAT -> PutPingPong.windowBytes(job.mostBytes());
          case PUT_BW -> new Slots(job.contexts(), job.depth(), job.sizes()).windowBytes();
          case SIGNAL_LAT, ATOMIC_LAT, BARRIER_LAT -> 0;
        };
    if (perRank > most / job.ranks()) {
      throw new UsageException(
          ("--size %d over %d contexts needs windows of %d bytes for each of %d ranks, and half of"
                  + " this machine's memory is %d: lower --size or --contexts")
              .formatted(job.mostBytes(), job.contexts(), perRank, job.ranks(), most));
    }
  }
}
