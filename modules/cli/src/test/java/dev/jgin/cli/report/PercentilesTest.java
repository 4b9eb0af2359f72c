// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class PercentilesTest {
  @Test
  void shouldTakeTheNearestRank() {
    long[] hundred = LongStream.rangeClosed(1, 100).map(i -> 101 - i).toArray();
    assertEquals(new Percentiles(100, 50.5, 50, 90, 99, 100), Percentiles.of(hundred));
  }

  @Test
  void shouldAnswerWithATimeThatWasMeasured() {
    assertEquals(new Percentiles(2, 6, 2, 10, 10, 10), Percentiles.of(new long[] {10, 2}));
    assertEquals(new Percentiles(1, 5, 5, 5, 5, 5), Percentiles.of(new long[] {5}));
    assertEquals(new Percentiles(0, 0, 0, 0, 0, 0), Percentiles.of(new long[0]));
  }

  @Test
  void shouldFindTheLargestAndSmallestLoad() {
    Loads loads = Loads.of(new long[] {3, 9, 0, 9, 0});
    assertEquals(new Loads(9, 1, 0, 2, 4.2), loads);
    assertEquals(9 / 4.2, loads.skew());
    assertEquals(1, Loads.of(new long[3]).skew());
  }

  @Test
  void shouldPrintBytesForPeople() {
    assertEquals("1023 B", Units.bytes(1023));
    assertEquals("1.50 KiB", Units.bytes(1536));
    assertEquals("8.00 EiB", Units.bytes(Long.MAX_VALUE));
    assertEquals("1.23", Units.micros(1234L));
  }
}
