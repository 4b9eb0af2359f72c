// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.verbs.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jgin.fabric.verbs.wire.PortAddress.Gid;
import java.util.List;
import org.junit.jupiter.api.Test;

class GidTableTest {

  private static final Gid LINK_LOCAL = new Gid("fe800000000000000200c0fffea80101");
  private static final Gid IPV4 = new Gid("00000000000000000000ffff0a020001");

  private static GidTable table(GidTable.Entry... entries) {
    return new GidTable("mlx5_0", 1, List.of(entries));
  }

  @Test
  void shouldPreferRoceV2OverIpv4() {
    GidTable table =
        table(
            new GidTable.Entry(0, GidTable.Type.ROCE_V1, LINK_LOCAL),
            new GidTable.Entry(1, GidTable.Type.ROCE_V2, LINK_LOCAL),
            new GidTable.Entry(2, GidTable.Type.ROCE_V1, IPV4),
            new GidTable.Entry(3, GidTable.Type.ROCE_V2, IPV4));
    assertEquals(3, table.choose(GidTable.AUTO, true).index());
    assertEquals(0, table.choose(0, true).index());
  }

  @Test
  void shouldTakeLinkLocalIfThatIsAllThereIs() {
    assertEquals(
        1,
        table(new GidTable.Entry(1, GidTable.Type.ROCE_V2, LINK_LOCAL))
            .choose(GidTable.AUTO, true)
            .index());
  }

  @Test
  void shouldTakeTheFirstOnInfiniBand() {
    assertEquals(
        0,
        table(new GidTable.Entry(0, GidTable.Type.IB, LINK_LOCAL))
            .choose(GidTable.AUTO, false)
            .index());
  }

  @Test
  void shouldListWhatThereIs() {
    GidTable table = table(new GidTable.Entry(1, GidTable.Type.ROCE_V1, IPV4));
    String why =
        assertThrows(IllegalArgumentException.class, () -> table.choose(9, true)).getMessage();
    assertTrue(why.contains("no GID at index 9") && why.contains("1=ROCE_V1 0000:"), why);
    why =
        assertThrows(IllegalArgumentException.class, () -> table.choose(GidTable.AUTO, true))
            .getMessage();
    assertTrue(why.contains("no RoCE v2 GID"), why);
    why =
        assertThrows(IllegalArgumentException.class, () -> table().choose(GidTable.AUTO, true))
            .getMessage();
    assertTrue(why.contains("none at all"), why);
  }
}
