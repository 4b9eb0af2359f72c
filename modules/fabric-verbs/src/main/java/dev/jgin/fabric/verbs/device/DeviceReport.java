// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.verbs.device;

import dev.jgin.bindings.NativeLibrary;
import dev.jgin.bindings.ibverbs.ibv_context;
import dev.jgin.bindings.ibverbs.ibv_device;
import dev.jgin.bindings.ibverbs.ibv_device_attr;
import dev.jgin.fabric.verbs.VerbsException;
import dev.jgin.gin.spi.Detail;
import dev.jgin.gin.spi.DeviceDetails;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What libibverbs says of every device, for people and programs to read. The keys are the names of
 * {@code ibv_device_attr} where that has one. Thread-safe.
 */
public final class DeviceReport {

  private DeviceReport() {}

  /** Each device of this machine; none without the library or without devices. Never throws. */
  public static List<DeviceDetails> all() {
    if (!NativeLibrary.VERBS.isAvailable()) {
      return List.of();
    }
    try {
      return Devices.names().stream().map(DeviceReport::of).toList();
    } catch (VerbsException _) {
      // No device, for the reason that unavailabilityCause() tells.
      return List.of();
    }
  }

  private static DeviceDetails of(String name) {
    try (Device device = Devices.open(name);
        Arena arena = Arena.ofConfined()) {
      MemorySegment attributes = device.queryDevice(arena);
      MemorySegment library = Unbounded.of(ibv_context.device(device.context()));
      List<Detail> details = new ArrayList<>();
      details.add(driver(name, Device.isSoftware(attributes)));
      details.add(Detail.of("transport", transport(ibv_device.transport_type(library))));
      details.addAll(attributes(attributes));
      details.add(ports(device, Byte.toUnsignedInt(ibv_device_attr.phys_port_cnt(attributes))));
      return new DeviceDetails(name, details);
    } catch (RuntimeException e) {
      // An unplugged device, a provider too old: the others are still worth reading.
      return DeviceDetails.failed(name, String.valueOf(e.getMessage()));
    }
  }

  private static Detail driver(String name, boolean software) {
    return software
        ? Detail.of("driver", "rdma_rxe")
        : Sysfs.driver(name)
            .map(driver -> Detail.of("driver", driver))
            .orElse(Detail.unknown("driver"));
  }

  /** {@code enum ibv_transport_type} in words. */
  static String transport(int type) {
    return switch (type) {
      case 0 -> "InfiniBand";
      case 1 -> "iWARP";
      case 2, 3 -> "usNIC";
      default -> "other (" + type + ")";
    };
  }

  /** The facts of a filled {@code ibv_device_attr}. */
  static List<Detail> attributes(MemorySegment a) {
    return List.of(
        Detail.of("firmware", ibv_device_attr.fw_ver(a).getString(0)),
        Detail.of("node_guid", guid(ibv_device_attr.node_guid(a))),
        Detail.of("vendor_id", hex(ibv_device_attr.vendor_id(a))),
        Detail.of("vendor_part_id", Integer.toUnsignedLong(ibv_device_attr.vendor_part_id(a))),
        Detail.of("hardware_version", hex(ibv_device_attr.hw_ver(a))),
        Detail.of("atomics", atomics(ibv_device_attr.atomic_cap(a))),
        Detail.of("max_qp", ibv_device_attr.max_qp(a)),
        Detail.of("max_qp_wr", ibv_device_attr.max_qp_wr(a)),
        Detail.of("max_cqe", ibv_device_attr.max_cqe(a)),
        Detail.of("max_sge", ibv_device_attr.max_sge(a)),
        Detail.of("max_qp_rd_atom", ibv_device_attr.max_qp_rd_atom(a)),
        Detail.of("max_qp_init_rd_atom", ibv_device_attr.max_qp_init_rd_atom(a)),
        Detail.of("max_mr", ibv_device_attr.max_mr(a)),
        Detail.of("max_mr_size_bytes", clipped(ibv_device_attr.max_mr_size(a))));
  }

  /** {@code enum ibv_atomic_cap}: HCA is atomic among queue pairs, GLOB towards the CPU too. */
  static String atomics(int capability) {
    return switch (capability) {
      case 0 -> "NONE";
      case 1 -> "HCA";
      case 2 -> "GLOB";
      default -> "other (" + capability + ")";
    };
  }

  /** Eight bytes in network order, in groups of four digits. */
  static String guid(long raw) {
    long value = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? Long.reverseBytes(raw) : raw;
    return String.format(Locale.ROOT, "%016x", value).replaceAll("(.{4})(?!$)", "$1:");
  }

  private static String hex(int value) {
    return String.format(Locale.ROOT, "0x%04x", value);
  }

  /** The field is unsigned, and "all bits" is how drivers say that they set no limit. */
  private static long clipped(long unsigned) {
    return unsigned < 0 ? Long.MAX_VALUE : unsigned;
  }

  private static Detail ports(Device device, int count) {
    List<List<Detail>> ports = new ArrayList<>();
    for (int number = 1; number <= count; number++) {
      ports.add(PortReport.of(device, number));
    }
    return Detail.of("ports", ports);
  }
}
