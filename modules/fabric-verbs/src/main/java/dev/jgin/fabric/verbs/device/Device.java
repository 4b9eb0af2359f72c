// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.verbs.device;

import dev.jgin.bindings.ibverbs.ibv_context;
import dev.jgin.bindings.ibverbs.ibv_context_ops;
import dev.jgin.bindings.ibverbs.ibv_device_attr;
import dev.jgin.bindings.ibverbs.ibv_gid;
import dev.jgin.bindings.ibverbs.ibv_gid_entry;
import dev.jgin.bindings.ibverbs.ibv_port_attr;
import dev.jgin.bindings.ibverbs.verbs_context;
import dev.jgin.bindings.ibverbs.verbs_h;
import dev.jgin.fabric.verbs.VerbsException;
import dev.jgin.fabric.verbs.wire.PortAddress.Gid;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/** One opened device with its protection domain. Thread-safe but for {@link #close}. */
public final class Device implements AutoCloseable {

  /** Vendor number of the drivers that are no adapters. */
  private static final int SOFTWARE_VENDOR = 0xff_ffff;

  private static final long MOST_GIDS = 1024;

  private final String name;
  private final MemorySegment context;
  private final MemorySegment domain;
  private final HotCalls calls;
  private final DeviceLimits limits;

  Device(String name, MemorySegment context, CriticalMode mode) {
    this.name = name;
    this.context = context;
    MemorySegment ops = ibv_context.ops(context);
    this.calls = new HotCalls(ibv_context_ops.post_send(ops), ibv_context_ops.poll_cq(ops), mode);
    this.limits = queryLimits();
    this.domain =
        Native.allocPd(context)
            .orThrow("a protection domain on device '" + name + "'", "close other users of it");
  }

  /** Its name, for example {@code mlx5_0}. */
  public String name() {
    return name;
  }

  MemorySegment context() {
    return context;
  }

  MemorySegment domain() {
    return domain;
  }

  /** How its provider's hot functions are called. */
  public HotCalls calls() {
    return calls;
  }

  /** What it can do. */
  public DeviceLimits limits() {
    return limits;
  }

  private DeviceLimits queryLimits() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment a = queryDevice(arena);
      return new DeviceLimits(
          ibv_device_attr.max_qp_wr(a),
          ibv_device_attr.max_cqe(a),
          ibv_device_attr.max_qp(a),
          ibv_device_attr.max_qp_init_rd_atom(a),
          ibv_device_attr.max_qp_rd_atom(a),
          ibv_device_attr.atomic_cap(a) != verbs_h.IBV_ATOMIC_NONE(),
          isSoftware(a));
    }
  }

  /** Whether a filled {@code ibv_device_attr} speaks of a driver in the kernel. */
  static boolean isSoftware(MemorySegment attributes) {
    return ibv_device_attr.vendor_id(attributes) == SOFTWARE_VENDOR;
  }

  /**
   * Asks for a port.
   *
   * @throws IllegalArgumentException if the device has no such port
   */
  public Port port(int number) {
    try (Arena arena = Arena.ofConfined()) {
      int ports = ports(arena);
      if (number < 1 || number > ports) {
        throw new IllegalArgumentException(
            "device '" + name + "' has no port " + number + ": it has 1.." + ports);
      }
      MemorySegment a = queryPort(number, arena);
      int state = ibv_port_attr.state(a);
      return new Port(
          number,
          state == verbs_h.IBV_PORT_ACTIVE(),
          verbs_h.ibv_port_state_str(state).getString(0),
          Mtu.bytes(ibv_port_attr.active_mtu(a)),
          Short.toUnsignedInt(ibv_port_attr.lid(a)),
          ibv_port_attr.link_layer(a) == verbs_h.IBV_LINK_LAYER_ETHERNET(),
          (ibv_port_attr.flags(a) & verbs_h.IBV_QPF_GRH_REQUIRED()) != 0,
          Integer.toUnsignedLong(ibv_port_attr.max_msg_sz(a)));
    }
  }

  private int ports(Arena arena) {
    return Byte.toUnsignedInt(ibv_device_attr.phys_port_cnt(queryDevice(arena)));
  }

  /** A new {@code ibv_device_attr}, filled. */
  MemorySegment queryDevice(Arena arena) {
    MemorySegment a = ibv_device_attr.allocate(arena);
    Native.check(
        verbs_h.ibv_query_device(context, a), "asking device '" + name + "' what it can do", "");
    return a;
  }

  /** A new {@code ibv_port_attr}, filled; the caller knows that there is such a port. */
  MemorySegment queryPort(int number, Arena arena) {
    MemorySegment a = ibv_port_attr.allocate(arena);
    Native.check(
        verbs_context.query_port.invoke(
            queryPort(), context, (byte) number, a, ibv_port_attr.sizeof()),
        "asking device '" + name + "' for port " + number,
        "see ibv_devinfo");
    return a;
  }

  /**
   * {@code query_port} lives in a struct around the context, where the provider has that struct.
   */
  private MemorySegment queryPort() {
    if (ibv_context.abi_compat(context).address() == -1L) {
      MemorySegment extended =
          MemorySegment.ofAddress(context.address() - verbs_context.context$offset());
      MemorySegment whole = Unbounded.of(extended);
      if (verbs_context.sz(whole) >= verbs_context.sizeof() - verbs_context.query_port$offset()) {
        MemorySegment pointer = verbs_context.query_port(whole);
        if (pointer.address() != 0) {
          return pointer;
        }
      }
    }
    throw new VerbsException(
        "the provider of device '" + name + "' is older than rdma-core: update it", 0);
  }

  /** The global identifiers of a port. */
  public GidTable gids(int port) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment table = ibv_gid_entry.allocateArray(MOST_GIDS, arena);
      long n = verbs_h._ibv_query_gid_table(context, table, MOST_GIDS, 0, ibv_gid_entry.sizeof());
      if (n < 0) {
        Native.check((int) -n, "asking device '" + name + "' for its GIDs", "see ibv_devinfo -v");
      }
      List<GidTable.Entry> entries = new ArrayList<>();
      for (long i = 0; i < n; i++) {
        MemorySegment e = ibv_gid_entry.asSlice(table, i);
        Gid gid = new Gid(ibv_gid.raw(ibv_gid_entry.gid(e)).toArray(ValueLayout.JAVA_BYTE));
        if (ibv_gid_entry.port_num(e) == port && !gid.isEmpty()) {
          entries.add(
              new GidTable.Entry(ibv_gid_entry.gid_index(e), type(ibv_gid_entry.gid_type(e)), gid));
        }
      }
      return new GidTable(name, port, entries);
    }
  }

  private static GidTable.Type type(int code) {
    if (code == verbs_h.IBV_GID_TYPE_ROCE_V2()) {
      return GidTable.Type.ROCE_V2;
    }
    return code == verbs_h.IBV_GID_TYPE_ROCE_V1() ? GidTable.Type.ROCE_V1 : GidTable.Type.IB;
  }

  /** Closes it. Everything made on it must be closed before. */
  @Override
  public void close() {
    int busy = verbs_h.ibv_dealloc_pd(domain);
    int failed = verbs_h.ibv_close_device(context);
    assert busy == 0 && failed == 0 : "device closed before what was made on it: " + busy;
  }
}
