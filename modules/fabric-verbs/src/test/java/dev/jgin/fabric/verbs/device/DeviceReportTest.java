// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.verbs.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jgin.bindings.NativeLibrary;
import dev.jgin.bindings.ibverbs.ibv_device_attr;
import dev.jgin.bindings.ibverbs.ibv_port_attr;
import dev.jgin.bindings.ibverbs.verbs_h;
import dev.jgin.fabric.verbs.wire.PortAddress.Gid;
import dev.jgin.gin.spi.Detail;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class DeviceReportTest {

  private static Map<String, Detail.Value> byKey(List<Detail> details) {
    return details.stream().collect(Collectors.toMap(Detail::key, Detail::value));
  }

  private static Detail.Value text(String text) {
    return new Detail.Text(text);
  }

  private static Detail.Value count(long number) {
    return new Detail.Count(number);
  }

  @Test
  void shouldReadADevice() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment a = ibv_device_attr.allocate(arena);
      ibv_device_attr.fw_ver(a).setString(0, "28.39.1002");
      MemorySegment guid = a.asSlice(ibv_device_attr.node_guid$offset(), 8);
      byte[] network = {(byte) 0xb8, 0x3f, (byte) 0xd2, 3, 0, 0x1a, 0x2b, 0x3c};
      MemorySegment.copy(network, 0, guid, ValueLayout.JAVA_BYTE, 0, 8);
      ibv_device_attr.vendor_id(a, 0x02c9);
      ibv_device_attr.vendor_part_id(a, 4129);
      ibv_device_attr.atomic_cap(a, 1);
      ibv_device_attr.max_qp(a, 131072);
      ibv_device_attr.max_qp_wr(a, 32768);
      ibv_device_attr.max_sge(a, 30);
      ibv_device_attr.max_qp_rd_atom(a, 16);
      ibv_device_attr.max_mr_size(a, -1);
      Map<String, Detail.Value> facts = byKey(DeviceReport.attributes(a));
      assertEquals(text("28.39.1002"), facts.get("firmware"));
      assertEquals(text("b83f:d203:001a:2b3c"), facts.get("node_guid"));
      assertEquals(text("0x02c9"), facts.get("vendor_id"));
      assertEquals(count(4129), facts.get("vendor_part_id"));
      assertEquals(text("HCA"), facts.get("atomics"));
      assertEquals(count(131072), facts.get("max_qp"));
      assertEquals(count(32768), facts.get("max_qp_wr"));
      assertEquals(count(30), facts.get("max_sge"));
      assertEquals(count(16), facts.get("max_qp_rd_atom"));
      assertEquals(count(Long.MAX_VALUE), facts.get("max_mr_size_bytes"));
    }
  }

  @Test
  void shouldReadAPort() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment a = ibv_port_attr.allocate(arena);
      ibv_port_attr.phys_state(a, (byte) 5);
      ibv_port_attr.link_layer(a, (byte) 1);
      ibv_port_attr.active_mtu(a, 5);
      ibv_port_attr.max_mtu(a, 9);
      ibv_port_attr.active_width(a, (byte) 2);
      ibv_port_attr.active_speed(a, (byte) 128);
      ibv_port_attr.lid(a, (short) 0xc001);
      Map<String, Detail.Value> facts = byKey(PortReport.attributes(a));
      assertEquals(text("LinkUp"), facts.get("physical_state"));
      assertEquals(text("InfiniBand"), facts.get("link_layer"));
      assertEquals(count(4096), facts.get("active_mtu_bytes"));
      assertEquals(new Detail.Unknown(), facts.get("max_mtu_bytes"));
      assertEquals(text("400 Gbit/s (4x 100)"), facts.get("rate"));
      assertEquals(count(0xc001), facts.get("lid"));
      ibv_port_attr.active_width(a, (byte) 1);
      ibv_port_attr.active_speed(a, (byte) 1);
      assertEquals(text("2.5 Gbit/s (1x 2.5)"), byKey(PortReport.attributes(a)).get("rate"));
      ibv_port_attr.active_width(a, (byte) 0);
      assertEquals(new Detail.Unknown(), byKey(PortReport.attributes(a)).get("rate"));
    }
  }

  @Test
  void shouldShowGidsAsAddresses() {
    GidTable.Entry entry =
        new GidTable.Entry(3, GidTable.Type.ROCE_V2, new Gid("00000000000000000000ffff0a020001"));
    Map<String, Detail.Value> row =
        byKey(PortReport.gids(new GidTable("mlx5_0", 1, List.of(entry))).getFirst());
    assertEquals(count(3), row.get("index"));
    assertEquals(text("RoCE v2"), row.get("type"));
    assertEquals(text("0000:0000:0000:0000:0000:ffff:0a02:0001"), row.get("gid"));
  }

  @Test
  void shouldAgreeWithTheHeaderOnCodes() {
    assumeTrue(NativeLibrary.VERBS.isAvailable());
    assertEquals("NONE", DeviceReport.atomics(verbs_h.IBV_ATOMIC_NONE()));
    assertEquals("HCA", DeviceReport.atomics(verbs_h.IBV_ATOMIC_HCA()));
    assertEquals("GLOB", DeviceReport.atomics(verbs_h.IBV_ATOMIC_GLOB()));
    assertEquals("InfiniBand", DeviceReport.transport(verbs_h.IBV_TRANSPORT_IB()));
    assertEquals("iWARP", DeviceReport.transport(verbs_h.IBV_TRANSPORT_IWARP()));
    assertEquals("Ethernet", PortReport.linkLayer(verbs_h.IBV_LINK_LAYER_ETHERNET()));
    assertEquals("InfiniBand", PortReport.linkLayer(verbs_h.IBV_LINK_LAYER_INFINIBAND()));
    assertTrue(PortReport.linkLayer(9).contains("9"));
  }
}
