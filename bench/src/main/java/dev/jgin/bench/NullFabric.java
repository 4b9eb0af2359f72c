// SPDX-License-Identifier: Apache-2.0
package dev.jgin.bench;

import dev.jgin.gin.spi.Axioms;
import dev.jgin.gin.spi.Fabric;
import dev.jgin.gin.spi.LaneControl;
import dev.jgin.gin.spi.Region;
import dev.jgin.gin.spi.RegionKind;
import java.lang.foreign.Arena;
import java.util.function.LongSupplier;

/**
 * A carrier that carries nothing: it counts what is posted and completes it at the doorbell. What
 * is measured over it is the cost of whoever posts. One rank; one thread.
 */
final class NullFabric implements Fabric {
  private final Arena arena = Arena.ofShared();
  private final long[] posted;
  private final long[] completed;
  private int regions;

  NullFabric(int contexts) {
    this.posted = new long[contexts];
    this.completed = new long[contexts];
  }

  @Override
  public String name() {
    return "null";
  }

  @Override
  public int rank() {
    return 0;
  }

  @Override
  public int ranks() {
    return 1;
  }

  @Override
  public int contexts() {
    return posted.length;
  }

  @Override
  public Axioms axioms() {
    return Axioms.reliableConnected(64);
  }

  @Override
  public int laneDepth() {
    return 1024;
  }

  @Override
  public Region register(String name, long bytes, RegionKind kind) {
    return new Region(regions++, name, kind, arena.allocate(bytes, 4096));
  }

  private long post(int context) {
    if (posted[context] - completed[context] >= laneDepth()) {
      return FULL;
    }
    return posted[context]++;
  }

  @Override
  public long write(
      int context, int peer, Region src, long srcOffset, Region dst, long dstOffset, long bytes) {
    return post(context);
  }

  @Override
  public long writeInline(
      int context, int peer, Region dst, long dstOffset, long value, int bytes) {
    return post(context);
  }

  @Override
  public long atomicAdd(int context, int peer, Region dst, long dstOffset, long addend) {
    return post(context);
  }

  @Override
  public long read(
      int context, int peer, Region src, long srcOffset, Region dst, long dstOffset, long bytes) {
    return post(context);
  }

  @Override
  public void ring(int context, int peer) {
    completed[context] = posted[context];
  }

  @Override
  public void poll(int context) {}

  @Override
  public long posted(int context, int peer) {
    return posted[context];
  }

  @Override
  public long completed(int context, int peer) {
    return completed[context];
  }

  @Override
  public int error(int context, int peer) {
    return 0;
  }

  @Override
  public long failures() {
    return 0;
  }

  @Override
  public void progress() {}

  @Override
  public LongSupplier clock() {
    return System::nanoTime;
  }

  @Override
  public LaneControl laneControl() {
    throw new UnsupportedOperationException("the null fabric has no lanes to recover");
  }

  @Override
  public void close() {
    arena.close();
  }
}
