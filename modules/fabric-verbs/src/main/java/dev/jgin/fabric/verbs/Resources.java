// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.verbs;

import dev.jgin.fabric.verbs.device.CompletionQueue;
import dev.jgin.fabric.verbs.device.Device;
import dev.jgin.fabric.verbs.device.MemoryRegion;
import dev.jgin.fabric.verbs.device.Port;
import dev.jgin.fabric.verbs.device.QpSettings;
import dev.jgin.fabric.verbs.device.QueuePair;
import dev.jgin.fabric.verbs.wire.PortAddress;
import dev.jgin.gin.spi.RegionMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What one rank's end is made of, filled step by step while it opens and released in the reverse
 * order, however far it came.
 *
 * <p>The staging memory is registered: 64 bytes for each context, where the results of atomics land
 * that nobody reads, then 8 bytes for each slot of each lane, the payload of writes without a
 * source.
 */
final class Resources {

  private static final long RESULT_BYTES = 64;

  final Arena arena = Arena.ofShared();
  final AtomicLong failures = new AtomicLong();
  Device device;
  Port port;
  QpSettings settings;
  PortAddress address;
  int mtu;
  VerbsContext[] contexts = new VerbsContext[0];
  DrainQueue drain;
  RegionTable regions;
  private MemorySegment staging;
  private MemoryRegion stagingRegion;
  private long payloads;
  private int ranks;

  void makeStaging(int contextCount, int rankCount, int depth) {
    ranks = rankCount;
    payloads = RESULT_BYTES * contextCount;
    staging = arena.allocate(payloads + (long) Long.BYTES * contextCount * rankCount * depth, 4096);
    stagingRegion = new MemoryRegion(device, "staging", new RegionMemory.Host(staging), false);
  }

  QueuePair queuePair(CompletionQueue completions, int psn) {
    return new QueuePair(device, arena, completions, settings, psn);
  }

  MemorySegment staging() {
    return staging;
  }

  int stagingLkey() {
    return stagingRegion.lkey();
  }

  int stagingRkey() {
    return stagingRegion.rkey();
  }

  /** Offset in the staging memory of the result of a context's atomics. */
  long result(int context) {
    return RESULT_BYTES * context;
  }

  /** Offset in the staging memory of a slot's payload. */
  long payload(int context, int peer, int slot) {
    return payloads + Long.BYTES * (((long) context * ranks + peer) * settings.depth() + slot);
  }

  /** Device, port, GID, MTU and depth on one line. */
  String describe() {
    return device.name()
        + (device.limits().software() ? " (a driver in software)" : "")
        + " port "
        + port.number()
        + " ("
        + (port.ethernet() ? "Ethernet" : "InfiniBand")
        + "), GID "
        + settings.gidIndex()
        + " "
        + address.gid()
        + ", path MTU "
        + mtu
        + ", depth "
        + settings.depth();
  }

  void close() {
    if (drain != null) {
      drain.close();
    }
    for (VerbsContext context : contexts) {
      if (context != null) {
        context.close();
      }
    }
    if (regions != null) {
      regions.close();
    }
    if (stagingRegion != null) {
      stagingRegion.close();
    }
    if (device != null) {
      device.close();
    }
    arena.close();
  }
}
