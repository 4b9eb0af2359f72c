// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuantitiesTest {
  @ParameterizedTest
  @CsvSource({
    "1, 1",
    "64b, 64",
    "2K, 2048",
    "512M, 536870912",
    "1.5GiB, 1610612736",
    "1gb, 1073741824",
    "3TiB, 3298534883328"
  })
  void shouldReadBytes(String text, long bytes) {
    assertEquals(bytes, Quantities.bytes("--x", text));
  }

  @ParameterizedTest
  @CsvSource({"250us, 250000", "500ms, 500000000", "30s, 30000000000", "1.5m, 90000000000"})
  void shouldReadDurations(String text, long nanos) {
    assertEquals(nanos, Quantities.nanos("--x", text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-1", "1X", "0", "1e3", "9999999999T", "iB"})
  void shouldRefuseOtherBytes(String text) {
    assertThrows(UsageException.class, () -> Quantities.bytes("--x", text));
  }

  @Test
  void shouldReadSeedsAsListsAndRanges() {
    assertEquals(List.of(7L), Seeds.parse("--x", "7"));
    assertEquals(List.of(-1L, 0L, 1L, 40L), Seeds.parse("--x", "-1..1,40"));
    assertEquals(Seeds.MAX, Seeds.parse("--x", "1.." + Seeds.MAX).size());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1..10001",
        "1..9000,20000..29000",
        "-9223372036854775808..9223372036854775807",
        "1,,2",
        "1...2"
      })
  void shouldRefuseOtherSeeds(String text) {
    assertThrows(UsageException.class, () -> Seeds.parse("--x", text));
  }
}
