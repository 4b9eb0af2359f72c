// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.perf.loop;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import com.sun.management.ThreadMXBean;
import dev.jgin.gin.BarrierProtocol;
import dev.jgin.gin.Communicator;
import dev.jgin.gin.CommunicatorOptions;
import dev.jgin.gin.LocalWorld;
import dev.jgin.gin.WaitStrategy;
import dev.jgin.gin.spi.FabricSpec;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Rounds that allocated would do so in every run; what the first use of a class allocates comes in
 * the first run only. So the least of several runs must be 0 on each rank.
 */
class LoopAllocationTest {
  private static final int RANKS = 2;
  private static final int RUNS = 5;
  private static final int ROUNDS = 200;

  @ParameterizedTest
  @ValueSource(longs = {2, 8, 5000})
  void shouldAllocateNothingInPutLatency(long bytes) {
    requireNone(comm -> new PutPingPong(comm, bytes, 1), bytes);
  }

  @ParameterizedTest
  @ValueSource(longs = {2, 8, 5000})
  void shouldAllocateNothingInPutBandwidth(long bytes) {
    Slots slots = new Slots(2, 16, List.of(bytes));
    requireNone(comm -> new PutStream(comm, slots, 1), bytes);
  }

  @Test
  void shouldAllocateNothingInSignalLatency() {
    requireNone(SignalPingPong::new, 8);
  }

  @Test
  void shouldAllocateNothingInAtomicLatency() {
    long[] sent = new long[2];
    requireNone(comm -> new AtomicStream(comm, sent), 8);
  }

  @ParameterizedTest
  @EnumSource(BarrierProtocol.class)
  void shouldAllocateNothingInBarrierLatency(BarrierProtocol protocol) {
    requireNone(comm -> new BarrierRounds(comm, protocol, true), 8);
  }

  private interface Maker {
    Loop make(Communicator comm);
  }

  private static void requireNone(Maker maker, long bytes) {
    Together together = new Together(WaitStrategy.backoff());
    FabricSpec spec = FabricSpec.parse("emulated:granule=64", 2, 1);
    try (LocalWorld world =
        LocalWorld.open(spec, RANKS, CommunicatorOptions.defaults().withWaiting(together))) {
      List<Loop> loops = world.onEachRank(maker::make);
      loops.forEach(loop -> loop.begin(bytes));
      ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
      long[] least = {Long.MAX_VALUE, Long.MAX_VALUE};
      Extent[] runs =
          Stream.generate(() -> Extent.ofRounds(ROUNDS)).limit(RUNS).toArray(Extent[]::new);
      together.run(
          RANKS,
          rank -> {
            Stamps posted = new Stamps(ROUNDS);
            Stamps completed = new Stamps(ROUNDS);
            for (Extent run : runs) {
              long before = threads.getCurrentThreadAllocatedBytes();
              loops.get(rank).rounds(run, posted, completed);
              least[rank] =
                  Math.min(least[rank], threads.getCurrentThreadAllocatedBytes() - before);
            }
          });
      assertArrayEquals(new long[RANKS], least);
    }
  }
}
