// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gin;

import dev.jgin.gin.spi.Fabric;
import dev.jgin.gin.spi.LaneStatus;
import dev.jgin.gin.spi.Region;
import java.util.Arrays;

/**
 * One context: a lane to every peer, with signal cells, shadows and counters of its own.
 *
 * <p>{@code try…} operations never block: they answer {@code false} when the lane is full (nothing
 * was posted; progress and try again). The others block until the lane has room, within the
 * communicator's deadline. One thread at a time; no operation allocates.
 *
 * <h2>What is not promised</h2>
 *
 * <ul>
 *   <li>{@link #flush} means that sources are reusable. It does <em>not</em> mean that the bytes
 *       have settled in the peer's memory.
 *   <li>A signal speaks for earlier puts of <em>this</em> context to that peer (axiom A4), never
 *       for puts on another context: that is what {@link FanInSignal} and {@link Barrier} are for.
 * </ul>
 *
 * The vocabulary is that of NCCL's {@code gin.h}.
 */
public final class Context {

  private final Communicator comm;
  private final Fabric fabric;
  private final int index;
  private final long[] puts;
  private final SignalTable signals;
  private final CounterTable counters;

  Context(Communicator comm, int index, Region signalRegion) {
    this.comm = comm;
    this.fabric = comm.fabric();
    this.index = index;
    this.puts = new long[comm.size()];
    this.signals = new SignalTable(comm, index, signalRegion);
    this.counters = new CounterTable(comm, index);
  }

  /** Position among the communicator's contexts. */
  public int index() {
    return index;
  }

  /**
   * Puts posted to {@code peer} since the communicator was made: how barriers see what was used.
   */
  public long puts(int peer) {
    return puts[peer];
  }

  // ---- puts

  /**
   * Posts a put of {@code bytes} from the local {@code src} into the peer's {@code dst} and rings.
   * The source must stay unchanged until {@link #flushed()} or the put's counter says so.
   *
   * @throws IndexOutOfBoundsException if a range leaves its window
   */
  public boolean tryPut(
      int peer, Window dst, long dstOffset, Window src, long srcOffset, long bytes) {
    if (!tryPutDeferred(peer, dst, dstOffset, src, srcOffset, bytes)) {
      return false;
    }
    fabric.ring(index, peer);
    return true;
  }

  /** Like {@link #tryPut} without ringing: many puts, then one {@link #ring}. */
  public boolean tryPutDeferred(
      int peer, Window dst, long dstOffset, Window src, long srcOffset, long bytes) {
    long ticket =
        fabric.write(index, peer, src.region(), srcOffset, dst.region(), dstOffset, bytes);
    return posted(peer, ticket);
  }

  /**
   * Like {@link #tryPut}, and counter {@code counterId} goes up by one when the source is reusable.
   */
  public boolean tryPutCounted(
      int peer, Window dst, long dstOffset, Window src, long srcOffset, long bytes, int counterId) {
    counters.check(counterId);
    long ticket =
        fabric.write(index, peer, src.region(), srcOffset, dst.region(), dstOffset, bytes);
    if (!posted(peer, ticket)) {
      return false;
    }
    counters.track(peer, ticket, counterId);
    fabric.ring(index, peer);
    return true;
  }

  /**
   * Posts an inline put of the low {@code bytes} (1, 2, 4 or 8) of {@code value}, little-endian,
   * and rings. No source to keep.
   */
  public boolean tryPutValue(int peer, Window dst, long dstOffset, long value, int bytes) {
    if (!posted(peer, fabric.writeInline(index, peer, dst.region(), dstOffset, value, bytes))) {
      return false;
    }
    fabric.ring(index, peer);
    return true;
  }

  /**
   * Posts a put and behind it, on the same lane, an add of {@code addend} to the peer's signal: the
   * peer that sees the signal sees the put (A4). Both are posted or neither.
   */
  public boolean tryPutSignal(
      int peer,
      Window dst,
      long dstOffset,
      Window src,
      long srcOffset,
      long bytes,
      int signalId,
      long addend) {
    if (room(peer) < 2) {
      return false;
    }
    boolean both =
        tryPutDeferred(peer, dst, dstOffset, src, srcOffset, bytes)
            && trySignal(peer, signalId, addend);
    if (!both) {
      throw new LaneFailedException(comm.rank(), index, peer, LaneStatus.CARRIER_CONTRACT);
    }
    return true;
  }

  /** Posts a read of the peer's {@code src} into the local {@code dst} and rings. */
  public boolean tryGet(
      int peer, Window src, long srcOffset, Window dst, long dstOffset, long bytes) {
    long ticket = fabric.read(index, peer, src.region(), srcOffset, dst.region(), dstOffset, bytes);
    if (ticket == Fabric.FULL) {
      return false;
    }
    fabric.ring(index, peer);
    return true;
  }

  /** Sends what {@link #tryPutDeferred} posted to {@code peer}. */
  public void ring(int peer) {
    fabric.ring(index, peer);
  }

  private boolean posted(int peer, long ticket) {
    if (ticket == Fabric.FULL) {
      return false;
    }
    puts[peer]++;
    return true;
  }

  private long room(int peer) {
    return fabric.laneDepth() - (fabric.posted(index, peer) - fabric.completed(index, peer));
  }

  /** Blocking {@link #tryPut}. */
  public void put(int peer, Window dst, long dstOffset, Window src, long srcOffset, long bytes) {
    long start = comm.nowNanos();
    for (int round = 0; !tryPut(peer, dst, dstOffset, src, srcOffset, bytes); round++) {
      idleOnFullLane(peer, start, round);
    }
  }

  /** Blocking {@link #tryPutValue}. */
  public void putValue(int peer, Window dst, long dstOffset, long value, int bytes) {
    long start = comm.nowNanos();
    for (int round = 0; !tryPutValue(peer, dst, dstOffset, value, bytes); round++) {
      idleOnFullLane(peer, start, round);
    }
  }

  /** Blocking {@link #tryPutSignal}. */
  public void putSignal(
      int peer,
      Window dst,
      long dstOffset,
      Window src,
      long srcOffset,
      long bytes,
      int signalId,
      long addend) {
    long start = comm.nowNanos();
    for (int round = 0;
        !tryPutSignal(peer, dst, dstOffset, src, srcOffset, bytes, signalId, addend);
        round++) {
      idleOnFullLane(peer, start, round);
    }
  }

  /**
   * Blocking {@link #tryGet}: blocks for room, not for the bytes; {@link #flush} waits for those.
   */
  public void get(int peer, Window src, long srcOffset, Window dst, long dstOffset, long bytes) {
    long start = comm.nowNanos();
    for (int round = 0; !tryGet(peer, src, srcOffset, dst, dstOffset, bytes); round++) {
      idleOnFullLane(peer, start, round);
    }
  }

  private void idleOnFullLane(int peer, long start, int round) {
    long timeout = comm.options().timeoutNanos();
    if (comm.expired(start, timeout)) {
      throw new DeadlineException(
          comm.rank(),
          "room on lane (context "
              + index
              + ", peer "
              + peer
              + "), whose "
              + fabric.laneDepth()
              + " slots are full",
          timeout);
    }
    comm.idle(round);
  }

  // ---- flush

  /** Reaps completions of this context. Non-blocking. */
  public void poll() {
    fabric.poll(index);
    counters.reap();
  }

  /**
   * Whether everything posted to {@code peer} is complete.
   *
   * @throws LaneFailedException if the lane has failed, or completed more than was posted
   */
  public boolean flushed(int peer) {
    // A failed lane counts as complete what it flushed, and that may never have left.
    comm.checkLane(index, peer);
    long posted = fabric.posted(index, peer);
    long completed = fabric.completed(index, peer);
    if (completed > posted) {
      throw new LaneFailedException(comm.rank(), index, peer, LaneStatus.CARRIER_CONTRACT);
    }
    return completed == posted;
  }

  /** Whether everything posted on this context is complete. Non-blocking; polls by itself. */
  public boolean flushed() {
    poll();
    for (int peer = 0; peer < puts.length; peer++) {
      if (!flushed(peer)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Waits until everything posted on this context is complete: sources are reusable, gets are here.
   * It does <em>not</em> wait for puts to settle in the peers' memory.
   *
   * @throws LaneFailedException if a lane of this context has failed, or any of this rank meanwhile
   */
  public void flush() {
    long start = comm.nowNanos();
    long timeout = comm.options().timeoutNanos();
    for (int round = 0; !flushed(); round++) {
      if (comm.expired(start, timeout)) {
        throw new DeadlineException(
            comm.rank(), "flush of context " + index + ": peers " + unflushed(), timeout);
      }
      comm.idle(round);
    }
  }

  private String unflushed() {
    int[] peers = new int[puts.length];
    int n = 0;
    for (int peer = 0; peer < puts.length; peer++) {
      if (!flushed(peer)) {
        peers[n++] = peer;
      }
    }
    return Arrays.toString(Arrays.copyOf(peers, n)) + " have not completed";
  }

  // ---- signals and counters

  /**
   * Posts an add of {@code addend} to the peer's cell of signal {@code signalId} in this context
   * and rings. It is performed exactly once (A6) and, at the peer, only after this context's
   * earlier puts to it (A4).
   */
  public boolean trySignal(int peer, int signalId, long addend) {
    long ticket = fabric.atomicAdd(index, peer, signals.region(), signals.offset(signalId), addend);
    if (ticket == Fabric.FULL) {
      return false;
    }
    fabric.ring(index, peer);
    return true;
  }

  /** Blocking {@link #trySignal} with addend 1. */
  public void signalInc(int peer, int signalId) {
    signalAdd(peer, signalId, 1L);
  }

  /** Blocking {@link #trySignal}. */
  public void signalAdd(int peer, int signalId, long addend) {
    long start = comm.nowNanos();
    for (int round = 0; !trySignal(peer, signalId, addend); round++) {
      idleOnFullLane(peer, start, round);
    }
  }

  /** Signal cells, shadows and waits of this context. */
  public SignalTable signals() {
    return signals;
  }

  /** Local completion counters of this context. */
  public CounterTable counters() {
    return counters;
  }
}
