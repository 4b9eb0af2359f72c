// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.perf;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class WaitingTest {
  @Test
  void shouldSpinOnlyWhereEachRankCanHaveAProcessor() {
    assertEquals(Waiting.SPIN, Waiting.AUTO.resolved(2, 2));
    assertEquals(Waiting.BACKOFF, Waiting.AUTO.resolved(2, 1));
    assertEquals(Waiting.SPIN, Waiting.SPIN.resolved(2, 1));
    assertEquals(Waiting.BACKOFF, Waiting.BACKOFF.resolved(2, 64));
  }

  @Test
  void shouldWarmUpInFullOnce() {
    PerfJob.Effort effort = new PerfJob.Effort(1000, 0, 20_000);
    assertEquals(20_000, effort.warmup(0));
    assertEquals(200, effort.warmup(1));
    assertEquals(20, new PerfJob.Effort(1000, 0, 500).warmup(3));
    assertEquals(0, new PerfJob.Effort(1000, 0, 0).warmup(3));
  }
}
