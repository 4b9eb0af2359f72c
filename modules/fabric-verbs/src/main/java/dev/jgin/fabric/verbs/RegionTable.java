// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.verbs;

import dev.jgin.fabric.verbs.device.Device;
import dev.jgin.fabric.verbs.device.MemoryRegion;
import dev.jgin.fabric.verbs.wire.Exchange;
import dev.jgin.fabric.verbs.wire.RegionKey;
import dev.jgin.gin.spi.Region;
import dev.jgin.gin.spi.RegionKind;
import dev.jgin.gin.spi.RegionMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/**
 * One rank's registrations with the addresses and keys of every peer's, and the checks of every
 * posting against them.
 *
 * <p>Registration is collective and by one thread; checks and look-ups may run on any thread.
 */
final class RegionTable {

  private static final long PAGE = 4096;

  /** One registered region. */
  static final class Entry {
    private final Region region;
    private final MemoryRegion memory;
    private final long[] addresses;
    private final int[] rkeys;
    private final long bytes;
    private final boolean host;

    Entry(Region region, MemoryRegion memory, List<RegionKey> keys) {
      this.region = region;
      this.memory = memory;
      this.addresses = keys.stream().mapToLong(RegionKey::address).toArray();
      this.rkeys = keys.stream().mapToInt(RegionKey::rkey).toArray();
      this.bytes = region.bytes();
      this.host = region.memory() instanceof RegionMemory.Host;
    }

    /** Address of the region's first byte at {@code peer}. */
    long address(int peer) {
      return addresses[peer];
    }

    /** The key that {@code peer}'s device demands. */
    int rkey(int peer) {
      return rkeys[peer];
    }

    /** Whether the CPU can read it, which a provider does to send a payload inline. */
    boolean host() {
      return host;
    }

    /** The key for use as a local source or target. */
    int lkey() {
      return memory.lkey();
    }
  }

  private final Device device;
  private final Exchange exchange;
  private final Arena arena;
  private final boolean relaxed;
  private volatile Entry[] entries = new Entry[0];

  RegionTable(Device device, Exchange exchange, Arena arena, boolean relaxed) {
    this.device = device;
    this.exchange = exchange;
    this.arena = arena;
    this.relaxed = relaxed;
  }

  /** Registers memory that this table allocates. */
  Region register(String name, long bytes, RegionKind kind) {
    return register(name, bytes, kind, () -> new RegionMemory.Host(allocate(name, bytes)));
  }

  /** Registers memory of the caller. */
  Region register(String name, RegionMemory memory, RegionKind kind) {
    return register(name, memory.bytes(), kind, () -> memory);
  }

  private Region register(String name, long bytes, RegionKind kind, Supplier<RegionMemory> source) {
    int id = entries.length;
    String wanted = bytes + " bytes, " + kind + ", '" + name + "'";
    agree(id, wanted, bytes);
    MemoryRegion[] made = new MemoryRegion[1];
    RegionMemory[] local = new RegionMemory[1];
    List<byte[]> keys =
        exchange.step(
            "verbs.registered." + id,
            () -> {
              local[0] = source.get();
              made[0] =
                  new MemoryRegion(device, name, local[0], relaxed && kind == RegionKind.DATA);
              return new RegionKey(address(local[0]), made[0].rkey()).encode();
            });
    Entry entry =
        new Entry(
            new Region(id, name, kind, local[0]),
            made[0],
            keys.stream().map(RegionKey::decode).toList());
    Entry[] more = Arrays.copyOf(entries, id + 1);
    more[id] = entry;
    entries = more;
    return entry.region;
  }

  private static long address(RegionMemory memory) {
    return switch (memory) {
      case RegionMemory.Host host -> host.segment().address();
      case RegionMemory.Device gpu -> gpu.address();
    };
  }

  private void agree(int id, String wanted, long bytes) {
    List<byte[]> all =
        exchange.step(
            "verbs.register." + id,
            () -> {
              if (bytes <= 0) {
                throw new IllegalArgumentException(
                    "region " + id + ": " + bytes + " bytes: a region needs at least 1");
              }
              return wanted.getBytes(StandardCharsets.UTF_8);
            });
    for (int r = 0; r < all.size(); r++) {
      String theirs = new String(all.get(r), StandardCharsets.UTF_8);
      if (!theirs.equals(wanted)) {
        throw new IllegalArgumentException(
            "region "
                + id
                + ": rank "
                + exchange.bootstrap().rank()
                + " registers "
                + wanted
                + ", but rank "
                + r
                + " registers "
                + theirs
                + ": every rank must register the same in the same order");
      }
    }
  }

  private MemorySegment allocate(String name, long bytes) {
    try {
      return arena.allocate(bytes, PAGE);
    } catch (OutOfMemoryError e) {
      throw new IllegalStateException(
          "region '"
              + name
              + "': cannot allocate "
              + bytes
              + " bytes of native memory: use a smaller window or fewer ranks",
          e);
    }
  }

  /**
   * Checks a range and returns the region's entry.
   *
   * @throws IndexOutOfBoundsException if the range leaves the region
   * @throws IllegalArgumentException if the region is not of this fabric
   */
  @SuppressWarnings("ReferenceEquality") // the handle itself was handed out, not one like it
  Entry check(Region region, long offset, long bytes) {
    int id = region.id();
    Entry[] known = entries;
    if (id < 0 || id >= known.length || known[id].region != region) {
      throw new IllegalArgumentException(
          "region " + id + " '" + region.name() + "' was not registered with this fabric");
    }
    long size = known[id].bytes;
    if ((offset | bytes) < 0 || offset > size - bytes) {
      throw new IndexOutOfBoundsException(
          "bytes "
              + offset
              + " … "
              + offset
              + " + "
              + bytes
              + " leave region '"
              + region.name()
              + "' of "
              + size
              + " bytes");
    }
    return known[id];
  }

  /** Checks an inline write. */
  Entry checkInline(Region region, long offset, int bytes) {
    if (bytes < 1 || bytes > 8 || Integer.bitCount(bytes) != 1) {
      throw new IllegalArgumentException(
          "inline write of " + bytes + " bytes: it must be 1, 2, 4 or 8");
    }
    Entry entry = check(region, offset, bytes);
    checkAligned(region, offset, bytes);
    return entry;
  }

  /** Checks an atomic. */
  Entry checkAtomic(Region region, long offset) {
    Entry entry = check(region, offset, Long.BYTES);
    checkAligned(region, offset, Long.BYTES);
    if (region.kind() != RegionKind.SIGNAL) {
      throw new IllegalArgumentException(
          "atomicAdd into region '"
              + region.name()
              + "' of kind DATA: atomics need a SIGNAL region, whose order is strict");
    }
    return entry;
  }

  private static void checkAligned(Region region, long offset, int bytes) {
    if ((offset & (bytes - 1)) != 0) {
      throw new IllegalArgumentException(
          "offset "
              + offset
              + " in region '"
              + region.name()
              + "' is not a multiple of "
              + bytes
              + ", the size of the access");
    }
  }

  void close() {
    for (Entry entry : entries) {
      entry.memory.close();
    }
    entries = new Entry[0];
  }
}
