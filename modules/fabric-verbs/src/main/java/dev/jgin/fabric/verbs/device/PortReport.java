// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.verbs.device;

import dev.jgin.bindings.ibverbs.ibv_port_attr;
import dev.jgin.bindings.ibverbs.verbs_h;
import dev.jgin.gin.spi.Detail;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What libibverbs says of a port. Codes without a name here are shown as numbers, since kernels and
 * adapters learn new ones; widths, speeds and physical states are those of the InfiniBand
 * Architecture Specification, PortInfo.
 */
final class PortReport {

  private PortReport() {}

  static List<Detail> of(Device device, int number) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment attributes = device.queryPort(number, arena);
      int state = ibv_port_attr.state(attributes);
      List<Detail> details = new ArrayList<>();
      details.add(Detail.of("port", number));
      details.add(Detail.of("state", verbs_h.ibv_port_state_str(state).getString(0)));
      details.addAll(attributes(attributes));
      details.add(Detail.of("gids", gids(device.gids(number))));
      return details;
    }
  }

  /** The facts of a filled {@code ibv_port_attr} that need no library to read. */
  static List<Detail> attributes(MemorySegment a) {
    int width = lanes(Byte.toUnsignedInt(ibv_port_attr.active_width(a)));
    double speed = gigabits(Byte.toUnsignedInt(ibv_port_attr.active_speed(a)));
    return List.of(
        Detail.of("physical_state", physicalState(Byte.toUnsignedInt(ibv_port_attr.phys_state(a)))),
        Detail.of("link_layer", linkLayer(Byte.toUnsignedInt(ibv_port_attr.link_layer(a)))),
        mtu("active_mtu_bytes", ibv_port_attr.active_mtu(a)),
        mtu("max_mtu_bytes", ibv_port_attr.max_mtu(a)),
        width == 0 || speed == 0 ? Detail.unknown("rate") : Detail.of("rate", rate(width, speed)),
        Detail.of("lid", Short.toUnsignedInt(ibv_port_attr.lid(a))),
        Detail.of("max_message_bytes", Integer.toUnsignedLong(ibv_port_attr.max_msg_sz(a))));
  }

  private static Detail mtu(String key, int code) {
    try {
      return Detail.of(key, Mtu.bytes(code));
    } catch (IllegalArgumentException _) {
      return Detail.unknown(key);
    }
  }

  static String physicalState(int code) {
    return switch (code) {
      case 1 -> "Sleep";
      case 2 -> "Polling";
      case 3 -> "Disabled";
      case 4 -> "Training";
      case 5 -> "LinkUp";
      case 6 -> "LinkErrorRecovery";
      case 7 -> "PhyTest";
      default -> "other (" + code + ")";
    };
  }

  static String linkLayer(int code) {
    return switch (code) {
      case 0 -> "unspecified";
      case 1 -> "InfiniBand";
      case 2 -> "Ethernet";
      default -> "other (" + code + ")";
    };
  }

  /** Physical lanes of a width code; 0 for a code that is unknown. */
  static int lanes(int width) {
    return switch (width) {
      case 1 -> 1;
      case 2 -> 4;
      case 4 -> 8;
      case 8 -> 12;
      case 16 -> 2;
      default -> 0;
    };
  }

  /** Gbit/s of one physical lane, as it is marketed; 0 for a code that is unknown. */
  static double gigabits(int speed) {
    return switch (speed) {
      case 1 -> 2.5;
      case 2 -> 5;
      case 4, 8 -> 10;
      case 16 -> 14;
      case 32 -> 25;
      case 64 -> 50;
      case 128 -> 100;
      default -> 0;
    };
  }

  private static String rate(int width, double speed) {
    return String.format(
        Locale.ROOT, "%s Gbit/s (%dx %s)", plain(width * speed), width, plain(speed));
  }

  private static String plain(double value) {
    return value == Math.rint(value) ? Long.toString(Math.round(value)) : Double.toString(value);
  }

  /** The table as rows: place, kind of packets, the identifier as an IPv6 address in full. */
  static List<List<Detail>> gids(GidTable table) {
    return table.entries().stream()
        .map(entry ->
            List.of(
                Detail.of("index", entry.index()),
                Detail.of("type", words(entry.type())),
                Detail.of("gid", entry.gid().toString())))
        .toList();
  }

  private static String words(GidTable.Type type) {
    return switch (type) {
      case IB -> "IB";
      case ROCE_V1 -> "RoCE v1";
      case ROCE_V2 -> "RoCE v2";
    };
  }
}
