// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.perf;

import dev.jgin.gin.BarrierProtocol;
import java.util.List;

/**
 * One run, checked as far as it can be without a carrier.
 *
 * @param test what is measured
 * @param fabric specification of the carrier
 * @param ranks ranks of this process, at least 2
 * @param contexts contexts to each peer
 * @param sizes of messages; one entry for tests that have no size
 * @param barriers the protocols of {@link PerfTest#BARRIER_LAT}, else empty
 * @param puts whether barriers carry puts
 * @param depth puts outstanding on a context; 0 for tests of latency
 * @param depthGiven whether {@code depth} was asked for: then a carrier must have it
 * @param effort how much is run
 * @param waiting what a wait does between two looks
 * @param timeoutNanos deadline of each wait
 * @param seed of payload and carrier
 * @param allowUnsound whether the carrier may promise less than the test needs
 */
record PerfJob(
    PerfTest test,
    String fabric,
    int ranks,
    int contexts,
    List<Long> sizes,
    List<BarrierProtocol> barriers,
    boolean puts,
    int depth,
    boolean depthGiven,
    Effort effort,
    Waiting waiting,
    long timeoutNanos,
    long seed,
    boolean allowUnsound) {

  /**
   * How much is run.
   *
   * @param iterations timed rounds; 0 if a duration is given
   * @param seconds for how long rounds begin; 0 if their number is given
   * @param warmup rounds before the first size
   */
  record Effort(long iterations, int seconds, long warmup) {
    private static final int FURTHER = 100;
    private static final long LEAST = 20;

    /** Rounds to warm up before size number {@code index}: the code is warm after the first. */
    long warmup(int index) {
      return index == 0 ? warmup : Math.min(warmup, Math.max(LEAST, warmup / FURTHER));
    }
  }

  /** What stands for a size in messages: tests without one have a word. */
  long mostBytes() {
    return sizes.stream().mapToLong(Long::longValue).max().orElse(Long.BYTES);
  }
}
