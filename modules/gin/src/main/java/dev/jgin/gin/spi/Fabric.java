// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gin.spi;

import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * A carrier seen from one rank: lanes to post on, regions to post into, completions to poll.
 *
 * <p>A lane is one context to one peer, {@code (context, peer)}; the peer may be this rank itself.
 * Every fabric passes the same contract suite ({@code dev.jgin.gin.contract.FabricContract}) and
 * declares in {@link #axioms()} what it promises beyond it.
 *
 * <h2>Posting</h2>
 *
 * Each posting method returns the operation's ticket on its lane (0, 1, 2, … within a generation of
 * the lane) or {@link #FULL} when the lane has no room: poll and try again. A posted operation is
 * not sent before {@link #ring}; ringing an idle lane does nothing. The source bytes must not
 * change until the ticket is below {@link #completed}: the carrier may read them at any time until
 * then.
 *
 * <h2>What a completion does not promise</h2>
 *
 * A completed write is <em>not</em> promised to be visible at the target (axiom A3), and nothing is
 * promised between lanes (A2), unless the axioms say otherwise. A completed {@code read} is visible
 * here.
 *
 * <h2>Threads</h2>
 *
 * Different contexts may be driven by different threads; one context by one thread at a time.
 * {@link #failures()} and {@link #error} may be called by any thread. Nothing here allocates on the
 * posting and polling path.
 */
public interface Fabric extends AutoCloseable {

  /** Returned by posting methods when the lane has no room. */
  long FULL = -1L;

  /** The specification that opened this fabric, for banners and messages. */
  String name();

  /** One line for banners: what carries the lanes of this rank, as far as it is known. */
  default String describe() {
    return name();
  }

  /** This rank, 0 ≤ rank &lt; {@link #ranks()}. */
  int rank();

  /** Number of ranks. */
  int ranks();

  /** Contexts per peer; each is a lane of its own. */
  int contexts();

  /** What this carrier promises. */
  Axioms axioms();

  /** Operations that may be outstanding on one lane before posting answers {@link #FULL}. */
  int laneDepth();

  /**
   * Registers a zero-filled symmetric region. Collective: every rank calls it with the same name,
   * size and kind in the same order; it returns when every rank has registered.
   *
   * @throws IllegalArgumentException if {@code bytes} is not positive or another rank registered
   *     something else at this position
   */
  Region register(String name, long bytes, RegionKind kind);

  /**
   * Registers memory that the caller owns, of the host or of a GPU, as it is: nothing is zeroed.
   * Collective as {@link #register(String, long, RegionKind)}, with which it shares the sequence of
   * registrations; the size must be equal on every rank, the kind of memory need not. The memory
   * must outlive the fabric.
   *
   * <p>Not promised: that a kernel which already runs sees what arrives in memory of its GPU. That
   * is between the GPU and its driver ({@code cuFlushGPUDirectRDMAWrites}).
   *
   * @throws UnsupportedOperationException if this carrier moves its own memory alone
   * @throws IllegalStateException if this machine cannot register memory of a GPU, naming what is
   *     missing and the remedy
   */
  default Region register(String name, RegionMemory memory, RegionKind kind) {
    throw new UnsupportedOperationException(
        "fabric '"
            + name()
            + "' registers only memory of its own, and '"
            + name
            + "' is the caller's: use register(name, bytes, kind), or a verbs fabric");
  }

  /**
   * Posts a write of {@code bytes} from the local region {@code src} into the peer's {@code dst}.
   * Zero bytes are allowed and still take a ticket.
   *
   * @throws IndexOutOfBoundsException if a range leaves its region
   */
  long write(
      int context, int peer, Region src, long srcOffset, Region dst, long dstOffset, long bytes);

  /**
   * Posts an inline write of the low {@code bytes} (1, 2, 4 or 8) of {@code value}, little-endian,
   * naturally aligned. There is no source buffer to keep. Into a {@link RegionKind#SIGNAL} region
   * it is a signal in the sense of A1s and A4.
   */
  long writeInline(int context, int peer, Region dst, long dstOffset, long value, int bytes);

  /**
   * Posts a 64-bit fetch-and-add whose result is dropped, into a {@link RegionKind#SIGNAL} region
   * at an offset that is a multiple of 8. It is a signal in the sense of A1s, A4 and A6. It is
   * atomic against other {@code atomicAdd}s of this carrier only, not against stores of the
   * target's CPU.
   */
  long atomicAdd(int context, int peer, Region dst, long dstOffset, long addend);

  /** Posts a read of {@code bytes} from the peer's {@code src} into the local {@code dst}. */
  long read(
      int context, int peer, Region src, long srcOffset, Region dst, long dstOffset, long bytes);

  /** Sends what was posted on the lane (the doorbell). */
  void ring(int context, int peer);

  /** Reaps completions of every lane of {@code context}. Non-blocking. */
  void poll(int context);

  /** Operations posted on the lane in this generation. */
  long posted(int context, int peer);

  /**
   * Operations reaped on the lane in this generation: every ticket below this is complete. On a
   * lane in error the outstanding ones are flushed: they count as complete, and whether they took
   * effect is unknown, so look at {@link #error} before relying on this.
   */
  long completed(int context, int peer);

  /** The lane's error word; 0 is {@link LaneStatus#OK}. */
  int error(int context, int peer);

  /**
   * What the carrier knows of the lane's first failure beyond the error word, for messages: for
   * example the status of the completion with the vendor's code. Empty if it knows nothing more.
   */
  default String errorDetail(int context, int peer) {
    return "";
  }

  /**
   * By what tools outside know this end of the lane, as {@code key=value} words: for example {@code
   * device=mlx5_0 qpn=1234}, where {@code qpn} is the queue pair that packets of the peer are
   * addressed to. Empty where nothing outside knows it.
   */
  default String laneName(int context, int peer) {
    return "";
  }

  /** How many lanes of this rank have failed so far: one cheap word for every wait to look at. */
  long failures();

  /**
   * Gives the carrier a chance to move on the caller's thread. Every wait calls it; a no-op where
   * hardware or other threads do the work.
   */
  void progress();

  /** The clock that deadlines are measured on, in nanoseconds: virtual where time is virtual. */
  LongSupplier clock();

  /** Fence, sample and reconnect, for recovery. */
  LaneControl laneControl();

  /**
   * The scheduler that must run all ranks of this process, when the carrier has one of its own
   * (deterministic emulation); empty when ranks may run on threads of any kind.
   */
  default Optional<StepScheduler> scheduler() {
    return Optional.empty();
  }

  /** Releases regions and lanes. Not collective. Idempotent. */
  @Override
  void close();
}
