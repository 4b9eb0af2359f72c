// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.emulated.memory;

import dev.jgin.gin.spi.Bootstrap;
import dev.jgin.gin.spi.Region;
import dev.jgin.gin.spi.RegionKind;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * One rank's registrations, and the checks of every posting against them.
 *
 * <p>Registration is collective and by one thread; checks may run on any thread afterwards.
 */
public final class RegionRegistry {

  /** Most regions of one fabric: their numbers travel in 16 bits. */
  public static final int MAX_REGIONS = 1 << 16;

  private static final long TIMEOUT_NANOS = 120_000_000_000L;

  private final RegionTable table;
  private final Bootstrap bootstrap;
  private Region[] regions = new Region[0];
  private MemorySegment[][] peers = new MemorySegment[0][];

  /** Registrations of the rank behind {@code bootstrap}. */
  public RegionRegistry(RegionTable table, Bootstrap bootstrap) {
    this.table = table;
    this.bootstrap = bootstrap;
  }

  /** See {@link dev.jgin.gin.spi.Fabric#register}. */
  public Region register(String name, long bytes, RegionKind kind) {
    int id = regions.length;
    String wanted = bytes + " bytes, " + kind + ", '" + name + "'";
    String problem = ownProblem(id, bytes);
    List<String> all = exchange("emulated.register." + id, problem == null ? wanted : problem);
    for (int r = 0; r < all.size(); r++) {
      if (problem != null || !all.get(r).equals(wanted)) {
        throw new IllegalArgumentException(
            "region " + id + ": " + mismatch(wanted, problem, r, all.get(r)));
      }
    }
    MemorySegment local = null;
    String outcome = "ok";
    try {
      local = table.allocate(id, bootstrap.rank(), bytes);
    } catch (OutOfMemoryError | IllegalArgumentException e) {
      outcome =
          "cannot allocate "
              + bytes
              + " bytes of native memory: use a smaller window or fewer ranks";
    }
    List<String> outcomes = exchange("emulated.registered." + id, outcome);
    for (int r = 0; r < outcomes.size(); r++) {
      if (!outcomes.get(r).equals("ok")) {
        throw new IllegalStateException("region '" + name + "': rank " + r + " " + outcomes.get(r));
      }
    }
    return add(new Region(id, name, kind, local));
  }

  private static String ownProblem(int id, long bytes) {
    if (bytes <= 0) {
      return bytes + " bytes: a region needs at least 1";
    }
    return id < MAX_REGIONS ? null : "more than " + MAX_REGIONS + " regions";
  }

  private String mismatch(String wanted, String problem, int other, String theirs) {
    if (problem != null) {
      return problem;
    }
    return "rank "
        + bootstrap.rank()
        + " registers "
        + wanted
        + ", but rank "
        + other
        + " registers "
        + theirs
        + ": every rank must register the same in the same order";
  }

  private List<String> exchange(String key, String value) {
    List<String> values = new ArrayList<>();
    for (byte[] bytes :
        bootstrap.allGather(key, value.getBytes(StandardCharsets.UTF_8), TIMEOUT_NANOS)) {
      values.add(new String(bytes, StandardCharsets.UTF_8));
    }
    return values;
  }

  private Region add(Region region) {
    int id = region.id();
    MemorySegment[][] nextPeers = Arrays.copyOf(peers, id + 1);
    nextPeers[id] = table.row(id);
    Region[] nextRegions = Arrays.copyOf(regions, id + 1);
    nextRegions[id] = region;
    peers = nextPeers;
    regions = nextRegions;
    return region;
  }

  /** The memory of {@code peer} behind a checked region. */
  public MemorySegment segment(int region, int peer) {
    return peers[region][peer];
  }

  /** Whether stores into a checked region are signals. */
  public boolean isSignal(int region) {
    return regions[region].kind() == RegionKind.SIGNAL;
  }

  /**
   * Checks a range and returns the region's number.
   *
   * @throws IndexOutOfBoundsException if the range leaves the region
   * @throws IllegalArgumentException if the region is not of this fabric
   */
  @SuppressWarnings("ReferenceEquality") // the handle itself was handed out, not one like it
  public int check(Region region, long offset, long bytes) {
    int id = region.id();
    Region[] known = regions;
    if (id < 0 || id >= known.length || known[id] != region) {
      throw new IllegalArgumentException(
          "region " + id + " '" + region.name() + "' was not registered with this fabric");
    }
    long size = region.local().byteSize();
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
    return id;
  }

  /** Checks an inline write. */
  public int checkInline(Region region, long offset, int bytes) {
    if (bytes < 1 || bytes > 8 || Integer.bitCount(bytes) != 1) {
      throw new IllegalArgumentException(
          "inline write of " + bytes + " bytes: it must be 1, 2, 4 or 8");
    }
    int id = check(region, offset, bytes);
    checkAligned(region, offset, bytes);
    return id;
  }

  /** Checks an atomic. */
  public int checkAtomic(Region region, long offset) {
    int id = check(region, offset, Long.BYTES);
    checkAligned(region, offset, Long.BYTES);
    if (region.kind() != RegionKind.SIGNAL) {
      throw new IllegalArgumentException(
          "atomicAdd into region '"
              + region.name()
              + "' of kind DATA: atomics need a SIGNAL region, whose order is strict");
    }
    return id;
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
}
