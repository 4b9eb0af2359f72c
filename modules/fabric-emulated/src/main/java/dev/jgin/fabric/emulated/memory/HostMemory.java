// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.emulated.memory;

import dev.jgin.fabric.emulated.lane.TargetMemory;
import java.lang.foreign.MemorySegment;

/** One rank's regions in host memory. */
public final class HostMemory implements TargetMemory {

  private final RegionTable table;
  private final int rank;
  private final int granule;

  /** The memory of {@code rank}, stored in granules of {@code granule} bytes. */
  public HostMemory(RegionTable table, int rank, int granule) {
    this.table = table;
    this.rank = rank;
    this.granule = granule;
  }

  @Override
  public void load(int region, long offset, MemorySegment to, long toOffset, long bytes) {
    MemorySegment.copy(table.segment(region, rank), offset, to, toOffset, bytes);
  }

  @Override
  public void store(int region, long offset, MemorySegment from, long fromOffset, long bytes) {
    Stores.copyGranules(from, fromOffset, table.segment(region, rank), offset, bytes, granule);
  }

  @Override
  public void storeWord(int region, long offset, long value, int bytes) {
    Stores.word(table.segment(region, rank), offset, value, bytes);
  }

  @Override
  public void add(int region, long offset, long addend) {
    Stores.add(table.segment(region, rank), offset, addend);
  }
}
