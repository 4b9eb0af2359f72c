// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.verbs.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jgin.fabric.verbs.wire.PortAddress.Gid;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecordsTest {

  private static final PortAddress PORT =
      new PortAddress(
          true,
          0xbeef,
          new Gid(HexFormat.of().parseHex("00000000000000000000ffff0a020001")),
          1024,
          16);

  private static List<OpenRecord.End> ends(int... numbers) {
    List<OpenRecord.End> ends = new ArrayList<>();
    for (int i = 0; i < numbers.length; i += 2) {
      ends.add(new OpenRecord.End(numbers[i], numbers[i + 1]));
    }
    return ends;
  }

  @Test
  void shouldCarryAnOpenRecord() {
    OpenRecord record =
        new OpenRecord("verbs:ro=on contexts=2", PORT, ends(1, 2, 3, 4, 5, 6, 7, 8));
    OpenRecord back = OpenRecord.decode(record.encode());
    assertEquals(record, back);
    assertEquals(new OpenRecord.End(7, 8), back.end(1, 1, 2));
    assertEquals(new OpenRecord.End(5, 6), back.end(1, 0, 2));
  }

  @Test
  void shouldKeepItsBytes() {
    OpenRecord record = new OpenRecord("v", PORT, ends(0x11, 0x22));
    assertEquals(
        "6f76676a"
            + "01000000"
            + "01000000"
            + "01000000"
            + "76"
            + "0100efbe"
            + "00000000000000000000ffff0a020001"
            + "00040000"
            + "10000000"
            + "00000000"
            + "11000000"
            + "22000000",
        HexFormat.of().formatHex(record.encode()));
    EndAddress end = new EndAddress(1, 2, 3, 4, 5, 6, PORT);
    assertEquals(
        "6576676a"
            + "01000000"
            + "02000000"
            + "03000000"
            + "0400000000000000"
            + "05000000"
            + "06000000"
            + "0100efbe"
            + "00000000000000000000ffff0a020001"
            + "00040000"
            + "10000000"
            + "00000000",
        HexFormat.of().formatHex(end.encode()));
    assertEquals(end, EndAddress.decode(end.encode()));
    RegionKey key = new RegionKey(0x7fff_1234_5000L, 0xcafe);
    assertEquals(
        "00503412ff7f0000fe ca0000".replace(" ", ""), HexFormat.of().formatHex(key.encode()));
    assertEquals(key, RegionKey.decode(key.encode()));
  }

  @Test
  void shouldRefuseEveryOtherLength() {
    byte[] record = new OpenRecord("v", PORT, ends(1, 2)).encode();
    byte[] end = new EndAddress(1, 2, 3, 4, 5, 6, PORT).encode();
    for (int n = 0; n < record.length + 3; n++) {
      byte[] cut = Arrays.copyOf(record, n);
      if (n != record.length) {
        assertThrows(IllegalArgumentException.class, () -> OpenRecord.decode(cut), "length " + n);
      }
    }
    for (int n = 0; n < end.length + 3; n++) {
      byte[] cut = Arrays.copyOf(end, n);
      if (n != end.length) {
        assertThrows(IllegalStateException.class, () -> EndAddress.decode(cut), "length " + n);
      }
    }
    assertThrows(IllegalArgumentException.class, () -> RegionKey.decode(new byte[11]));
  }

  @Test
  void shouldNameAnotherVersion() {
    byte[] record = new OpenRecord("v", PORT, ends()).encode();
    record[4] = 2;
    String why =
        assertThrows(IllegalArgumentException.class, () -> OpenRecord.decode(record)).getMessage();
    assertTrue(why.contains("version 2") && why.contains("same release"), why);
  }

  @Test
  void shouldRefuseLengthsThatOverflow() {
    byte[] record = new OpenRecord("v", PORT, ends()).encode();
    record[15] = 0x40; // 2^30 ends
    assertThrows(IllegalArgumentException.class, () -> OpenRecord.decode(record));
    record[15] = (byte) 0x80;
    assertThrows(IllegalArgumentException.class, () -> OpenRecord.decode(record));
  }

  @Test
  void shouldReadGids() {
    assertTrue(PORT.gid().isIpv4());
    assertEquals("0000:0000:0000:0000:0000:ffff:0a02:0001", PORT.gid().toString());
    assertTrue(new Gid(new byte[16]).isEmpty());
  }
}
