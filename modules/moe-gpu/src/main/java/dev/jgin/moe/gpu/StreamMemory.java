// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.gpu;

import dev.jgin.bindings.abi.jgin_peer;
import dev.jgin.bindings.abi.jgin_rank;
import dev.jgin.bindings.abi.jgin_report;
import dev.jgin.bindings.abi.jgin_shape;
import dev.jgin.bindings.abi.jgin_state;
import dev.jgin.bindings.abi.jgin_violations;
import dev.jgin.gpu.DeviceMemory;
import dev.jgin.gpu.GpuContext;
import dev.jgin.gpu.HostMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** The memory of one rank and stream, allocated and set up, and the struct that describes it. */
final class StreamMemory implements AutoCloseable {
  private static final long REPORT_AT = 0;
  private static final long ABORT_AT = 128;
  private static final long PINNED_BYTES = 256;
  private static final long CHUNK = 1 << 20;

  /** {@code jgin_rank}. */
  final MemorySegment rank;

  /** {@code jgin_peer} of this rank itself: the {@code local_…} windows. */
  final MemorySegment self;

  private final MemorySegment shape;
  private final DeviceMemory device;
  private final HostMemory pinned;

  /**
   * Allocates and sets up.
   *
   * @param shapeOf {@code jgin_shape}
   * @param initialEpoch the epoch before the first
   */
  StreamMemory(
      GpuContext context,
      String name,
      MemorySegment shapeOf,
      int keptViolations,
      long initialEpoch,
      Arena arena) {
    this.rank = jgin_rank.allocate(arena);
    this.self = jgin_peer.allocate(arena);
    this.shape = jgin_rank.shape(rank).copyFrom(shapeOf);
    RankMemory layout = new RankMemory(shape, keptViolations);
    this.device = context.allocate(name, layout.bytes());
    try {
      this.pinned = context.allocateHost(name + " report", PINNED_BYTES);
    } catch (RuntimeException | Error e) {
      device.close();
      throw e;
    }
    layout.fill(rank, self, device.address());
    jgin_rank.report(rank, pinned.address() + REPORT_AT);
    jgin_rank.abort_word(rank, pinned.address() + ABORT_AT);
    jgin_rank.nvlink_peers(rank, jgin_shape.ranks(shape));
    setUp(keptViolations, initialEpoch);
  }

  private void setUp(int keptViolations, long initialEpoch) {
    device.fill((byte) 0);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment violations = jgin_violations.allocate(arena);
      jgin_violations.capacity(violations, keptViolations);
      write(jgin_rank.violations(rank), violations);
      if (initialEpoch == 0) {
        return;
      }
      MemorySegment state = jgin_state.allocate(arena);
      jgin_state.dispatch_epoch(state, initialEpoch);
      jgin_state.combine_epoch(state, initialEpoch);
      write(jgin_rank.state(rank), state);
      // Cells and stamps of "never" must count as earlier than the first epoch.
      MemorySegment cells = arena.allocate(RankMemory.signalCells(shape) * Long.BYTES, Long.BYTES);
      for (long at = 0; at < cells.byteSize(); at += Long.BYTES) {
        cells.set(ValueLayout.JAVA_LONG, at, initialEpoch);
      }
      write(jgin_rank.signals(rank), cells);
      fillInts(jgin_rank.row_stamp(rank), jgin_shape.expert_rows(shape), (int) initialEpoch, arena);
    }
    jgin_report.dispatch_epoch(report(), initialEpoch);
    jgin_report.combine_epoch(report(), initialEpoch);
  }

  private void fillInts(long address, long count, int value, Arena arena) {
    long bytes = count * Integer.BYTES;
    MemorySegment chunk = arena.allocate(Math.min(bytes, CHUNK), Integer.BYTES);
    for (long at = 0; at < chunk.byteSize(); at += Integer.BYTES) {
      chunk.set(ValueLayout.JAVA_INT, at, value);
    }
    for (long at = 0; at < bytes; at += CHUNK) {
      write(address + at, chunk.asSlice(0, Math.min(CHUNK, bytes - at)));
    }
  }

  /** {@code jgin_shape}. */
  MemorySegment shape() {
    return shape;
  }

  /** Writes {@code jgin_peer [R]}. */
  void writePeers(MemorySegment peers) {
    write(jgin_rank.peers(rank), peers);
  }

  /** What the kernels tell the host: valid when the operation's kernels are done. */
  MemorySegment report() {
    return pinned.segment().asSlice(REPORT_AT, jgin_report.layout());
  }

  /** Ends all waits of this rank's kernels. */
  void abort() {
    pinned.segment().set(ValueLayout.JAVA_LONG, ABORT_AT, 1L);
  }

  /** Copies host memory to the device, and waits. */
  void write(long address, MemorySegment from) {
    device.write(address - device.address(), from);
  }

  /** Copies {@code bytes} from the device, and waits. */
  MemorySegment read(long address, long bytes, Arena arena) {
    MemorySegment to = arena.allocate(Math.max(bytes, 1), 16).asSlice(0, bytes);
    if (bytes > 0) {
      device.read(address - device.address(), to);
    }
    return to;
  }

  @Override
  public void close() {
    try {
      device.close();
    } finally {
      pinned.close();
    }
  }
}
