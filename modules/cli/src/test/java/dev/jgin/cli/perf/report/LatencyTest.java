// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.perf.report;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jgin.cli.perf.report.PerfOutput.Samples;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class LatencyTest {
  @Test
  void shouldLeaveTheTwoLongestOut() {
    // 100 intervals 1..100, of which 1..98 count.
    long[] nanos = LongStream.rangeClosed(1, 100).map(i -> 101 - i).toArray();
    Latency l = Latency.of(nanos, 1);
    assertEquals(1, l.min());
    assertEquals(99, l.max(), "the second longest");
    assertEquals(49.5, l.typical());
    assertEquals(49.5, l.avg());
    assertEquals(Math.sqrt((98.0 * 98 - 1) / 12), l.stdev(), 1e-9);
    assertEquals(99, l.p99(), "place ceil(98 x 0.99) = 98, counted from 0");
    assertEquals(99, l.p999());
  }

  @Test
  void shouldTakePercentilesAtTheirPlaces() {
    long[] nanos = LongStream.range(0, 10_002).toArray();
    Latency l = Latency.of(nanos, 1);
    assertEquals(9_900, l.p99());
    assertEquals(9_990, l.p999());
    assertEquals(10_000, l.max());
  }

  @Test
  void shouldHalveRoundTrips() {
    long[] nanos = {10, 30, 20, 40, 50};
    assertEquals(
        new Latency(5, 20, 10, 10, Math.sqrt(200.0 / 3) / 2, 20, 20), Latency.of(nanos, 2));
  }

  @Test
  void shouldRefuseTooFew() {
    assertEquals(3, Latency.of(new long[] {5, 4, 3}, 1).avg());
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> Latency.of(new long[2], 1));
    assertTrue(e.getMessage().contains("2 intervals: at least 3"), e.getMessage());
  }

  @Test
  void shouldGiveEveryTime() {
    Times times = new Times(new long[] {10, 40, 20, 30}, 2);
    assertArrayEquals(new double[] {5, 20, 10, 15}, times.nanos(Samples.UNSORTED));
    assertArrayEquals(new double[] {5, 10}, times.nanos(Samples.SORTED));
    assertArrayEquals(new double[0], times.nanos(Samples.NONE));
  }
}
